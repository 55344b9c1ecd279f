import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from '../../test-support/raw-http.ts';
import { alone, type Candidate, cpuSeconds } from './candidates.ts';
import { watchStolenTime } from './cores.ts';
import { requestFile, runLoad } from './load.ts';

/** Duration and number of load rounds per candidate. */
export interface Pace {
  readonly warmUp: number;
  readonly seconds: number;
  readonly rounds: number;
}

export interface Workload {
  readonly candidate: Candidate;
  /** Raw requests, sent in rotation. */
  readonly requests: readonly string[];
  /** Checked on one answer before measuring. */
  readonly expect: { readonly status: number; readonly body?: RegExp };
  /** Records per request; rates are per record. */
  readonly records?: number;
}

/** The minimum ratio of one candidate's rate to another's, and the maximum of its 99th percentile. */
export interface Target {
  readonly of: string;
  readonly over: string;
  readonly atLeast: number;
  readonly maxP99?: number;
}

export interface Comparison {
  readonly route: string;
  readonly data: string;
  readonly workloads: readonly Workload[];
  readonly targets?: readonly Target[];
  /** Each request may be sent only once. */
  readonly once?: boolean;
  /** Fewer than usual if the service refuses more concurrent ones. */
  readonly connections?: number;
}

export interface Figures {
  readonly name: string;
  /** Per second, one per round. */
  readonly rates: readonly number[];
  /** CPU time of the candidate per request or record, in microseconds. */
  readonly costs: readonly number[];
  /** In milliseconds. */
  readonly p99: readonly number[];
}

export interface ComparisonResult {
  readonly route: string;
  readonly data: string;
  readonly figures: readonly Figures[];
  readonly targets: readonly Target[];
}

/** Share of the cores' time. A quiet host withholds a tenth of this. */
const MAX_STOLEN = 0.02;

/**
 * Checks one answer of every candidate, waits until each has finished its background work, warms it up, then loads them in
 * rotation, so that noise of the machine affects all alike. A round in which the hypervisor withheld too much time is measured
 * again, at most as often as there are rounds.
 */
export async function measure(comparison: Comparison, pace: Pace): Promise<ComparisonResult> {
  const workloads = comparison.workloads.map((workload) => ({
    ...workload,
    file: requestFile(workload.requests),
    sent: 0,
    rates: [] as number[],
    costs: [] as number[],
    p99: [] as number[],
  }));
  for (const workload of workloads) await requireRightAnswer(comparison, workload);

  async function load(workload: (typeof workloads)[number], seconds: number) {
    const { candidate, file, expect } = workload;
    const result = await alone(candidate, () =>
      runLoad({
        port: candidate.port,
        file,
        seconds,
        offset: workload.sent,
        ...(comparison.connections !== undefined && { connections: comparison.connections }),
      }),
    ).catch((error) => {
      throw new Error(`${candidate.name}: ${error.message}`);
    });
    // In-flight answers at the end are not counted, so the next burst starts well after them.
    workload.sent += result.requests + 200;
    const wrong = expect.status < 400 ? result.refused : result.requests - result.refused;
    if (wrong > 0)
      throw new Error(`${comparison.route}: ${candidate.name} gave ${wrong} answers of another status`);
    if (comparison.once && workload.sent > workload.requests.length)
      throw new Error(`${comparison.route}: not enough prepared requests for ${candidate.name}`);
    return result;
  }

  for (const { candidate } of workloads) await alone(candidate, () => idle(candidate));
  for (const workload of workloads) await load(workload, pace.warmUp);
  // Requests that may be sent only once are too few for it.
  let repeats = comparison.once ? 0 : pace.rounds;
  for (let round = 0; round < pace.rounds; ) {
    const stolenShare = watchStolenTime();
    for (const workload of [
      ...workloads.slice(round % workloads.length),
      ...workloads.slice(0, round % workloads.length),
    ]) {
      const before = cpuSeconds(workload.candidate);
      const { rate, requests, p99 } = await load(workload, pace.seconds);
      const records = workload.records ?? 1;
      workload.rates[round] = rate * records;
      workload.costs[round] = ((cpuSeconds(workload.candidate) - before) / requests / records) * 1e6;
      workload.p99[round] = p99;
    }
    const stolen = stolenShare();
    if (stolen <= MAX_STOLEN || repeats === 0) round += 1;
    else {
      repeats -= 1;
      console.error(`round ${round + 1} again: the host withheld ${(stolen * 100).toFixed(0)} % of the time`);
    }
  }
  for (const { candidate } of workloads) candidate.truncateLog();
  return {
    route: comparison.route,
    data: comparison.data,
    figures: workloads.map(({ candidate, rates, costs, p99 }) => ({
      name: candidate.name,
      rates,
      costs,
      p99,
    })),
    targets: comparison.targets ?? [],
  };
}

/** Longer than the intervals of a service's background work. */
const LOOK_MS = 2000;
const IDLE_CPU_SECONDS = 0.05;
const MAX_LOOKS = 60;

/** Waits until a service is idle. After a burst it still has work, such as moving logins into their table. */
async function idle(candidate: Candidate): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const before = cpuSeconds(candidate);
    await sleep(LOOK_MS);
    if (cpuSeconds(candidate) - before < IDLE_CPU_SECONDS) return;
  }
  console.error(`${candidate.name} is still at work; its figures hold that too`);
}

async function requireRightAnswer(
  comparison: Comparison,
  workload: Workload & { sent: number },
): Promise<void> {
  const [first = ''] = workload.requests;
  const { status, body } = await sendRaw({
    port: workload.candidate.port,
    data: first.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'),
  });
  workload.sent += 1;
  if (status === workload.expect.status && (workload.expect.body?.test(body) ?? true)) return;
  throw new Error(`${comparison.route}: ${workload.candidate.name} answered ${status} ${body.slice(0, 300)}`);
}
