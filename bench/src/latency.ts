import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alone } from './candidates.ts';
import type { PlannedComparison } from './comparisons.ts';
import { prepare } from './comparisons.ts';
import { LOAD_CORE, pinned } from './cores.ts';
import { requestFile, runLoad } from './load.ts';
import type { Pace, Workload } from './measure.ts';
import type { Finding } from './report.ts';
import { median } from './statistics.ts';

/** The hot routes. Others refuse a repeated request, or are limited by the hash. */
export const LATENCY_ROUTES: ReadonlySet<string> = new Set([
  'list',
  'config',
  'login',
  'check-legacy',
  'check-jwt',
  'bind',
  'enter_game',
  'chat',
]);

/** Shares of the baseline's highest rate. */
const SHARES = [0.3, 0.7];
const CONNECTIONS = 64;
const MAX_P99_RATIO = 1.2;
const script = join(import.meta.dirname, 'fixed-rate.ts');

interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

interface Loaded extends Workload {
  readonly file: string;
  sent: number;
}

async function atRate(workload: Loaded, rate: number, seconds: number): Promise<Latencies> {
  const { candidate, file, sent } = workload;
  const [program = '', ...args] = pinned(
    [process.execPath, script, ...[candidate.port, file, sent, rate, seconds, CONNECTIONS].map(String)],
    LOAD_CORE,
  );
  const { stdout } = await alone(candidate, () => promisify(execFile)(program, args));
  const { requests, refused, ...latencies } = JSON.parse(stdout);
  workload.sent += requests;
  if (refused > 0) throw new Error(`${candidate.name} refused ${refused} of ${requests} requests`);
  return latencies;
}

async function highestRate(workload: Loaded, seconds: number): Promise<number> {
  const { candidate, file, sent } = workload;
  const result = await alone(candidate, () => runLoad({ port: candidate.port, file, seconds, offset: sent }));
  workload.sent += result.requests + 200;
  return result.rate;
}

/** Measures the first candidate of a comparison and the service at shares of the first one's highest rate. */
export async function measureLatency(planned: PlannedComparison, pace: Pace): Promise<Finding[]> {
  const { route, data, workloads } = await prepare(planned);
  const [baseline, own] = ['baseline', 'gatehouse'].map((name) => {
    const found = workloads.find(({ candidate }) => candidate.name === name) ?? workloads[0];
    if (found === undefined) throw new Error(`${route} has no candidates`);
    return { ...found, file: requestFile(found.requests), sent: 1 };
  }) as [Loaded, Loaded];
  await highestRate(own, pace.warmUp);
  await highestRate(baseline, pace.warmUp);
  const highest = await highestRate(baseline, pace.seconds);
  const findings: Finding[] = [];
  for (const share of SHARES) {
    const rounds: (readonly [Latencies, Latencies])[] = [];
    for (let round = 0; round < pace.rounds; round++)
      rounds.push([
        await atRate(baseline, highest * share, pace.seconds),
        await atRate(own, highest * share, pace.seconds),
      ]);
    const of = (side: 0 | 1, name: keyof Latencies) => median(rounds.map((round) => round[side][name]));
    const names = ['p50', 'p99', 'p999'] as const;
    const figures = (side: 0 | 1) => names.map((name) => of(side, name).toFixed(2)).join(' / ');
    const ratio = median(rounds.map(([theirs, ours]) => ours.p99 / theirs.p99));
    findings.push({
      what: `${route}, ${data}, ${share * 100} % load`,
      figure: `p50 / p99 / p99.9 ${figures(1)} ms, ${baseline.candidate.name} ${figures(0)} ms; p99 ${ratio.toFixed(2)} of its`,
      ...(share > 0.5 && { target: `p99 ≤ ${MAX_P99_RATIO}`, holds: ratio <= MAX_P99_RATIO }),
    });
  }
  for (const { candidate } of workloads) candidate.truncateLog();
  return findings;
}
