import { sendRaw } from '../../test-support/raw-http.ts';
import { type Candidate, cpuSeconds } from './candidates.ts';
import { requestFile, runLoad } from './load.ts';

/** How long each candidate is loaded, and how often. */
export interface Pace {
  readonly warmUp: number;
  readonly seconds: number;
  readonly rounds: number;
}

export interface Side {
  readonly candidate: Candidate;
  /** Raw requests, sent in turns. */
  readonly requests: readonly string[];
  /** What one answer must look like, or nothing is counted. */
  readonly expect: { readonly status: number; readonly body?: RegExp };
  /** Records in one request; rates are per record. */
  readonly records?: number;
}

/** The least that a candidate may reach of another. */
export interface Target {
  readonly of: string;
  readonly over: string;
  readonly atLeast: number;
}

export interface Comparison {
  readonly route: string;
  readonly data: string;
  readonly sides: readonly Side[];
  readonly targets?: readonly Target[];
  /** Each request may be sent only once. */
  readonly once?: boolean;
}

export interface Figures {
  readonly name: string;
  /** Per second, one for each round. */
  readonly rates: readonly number[];
  /** Processor time of the candidate per request or record, in microseconds. */
  readonly costs: readonly number[];
  /** Milliseconds. */
  readonly p99: readonly number[];
}

export interface ComparisonResult {
  readonly route: string;
  readonly data: string;
  readonly figures: readonly Figures[];
  readonly targets: readonly Target[];
}

/** Asks every side for a right answer, warms each up, then loads them in turns, so that a noisy minute hits all alike. */
export async function measure(comparison: Comparison, pace: Pace): Promise<ComparisonResult> {
  const sides = comparison.sides.map((side) => ({
    ...side,
    file: requestFile(side.requests),
    sent: 0,
    rates: [] as number[],
    costs: [] as number[],
    p99: [] as number[],
  }));
  for (const side of sides) await requireRightAnswer(comparison, side);

  async function load(side: (typeof sides)[number], seconds: number) {
    const { candidate, file, expect } = side;
    const result = await runLoad({ port: candidate.port, file, seconds, offset: side.sent });
    // Answers under way at the end are not counted, and so the next burst begins well after them.
    side.sent += result.requests + 200;
    const wrong = expect.status < 400 ? result.refused : result.requests - result.refused;
    if (wrong > 0)
      throw new Error(`${comparison.route}: ${candidate.name} gave ${wrong} answers of another status`);
    if (comparison.once && side.sent > side.requests.length)
      throw new Error(`${comparison.route}: not enough prepared requests for ${candidate.name}`);
    return result;
  }

  for (const side of sides) await load(side, pace.warmUp);
  for (let round = 0; round < pace.rounds; round++) {
    for (const side of [...sides.slice(round % sides.length), ...sides.slice(0, round % sides.length)]) {
      const before = cpuSeconds(side.candidate);
      const { rate, requests, p99 } = await load(side, pace.seconds);
      const records = side.records ?? 1;
      side.rates.push(rate * records);
      side.costs.push(((cpuSeconds(side.candidate) - before) / requests / records) * 1e6);
      side.p99.push(p99);
    }
  }
  for (const { candidate } of sides) candidate.tidy();
  return {
    route: comparison.route,
    data: comparison.data,
    figures: sides.map(({ candidate, rates, costs, p99 }) => ({ name: candidate.name, rates, costs, p99 })),
    targets: comparison.targets ?? [],
  };
}

async function requireRightAnswer(comparison: Comparison, side: Side & { sent: number }): Promise<void> {
  const [first = ''] = side.requests;
  const { status, body } = await sendRaw({
    port: side.candidate.port,
    data: first.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'),
  });
  side.sent += 1;
  if (status === side.expect.status && (side.expect.body?.test(body) ?? true)) return;
  throw new Error(`${comparison.route}: ${side.candidate.name} answered ${status} ${body.slice(0, 300)}`);
}
