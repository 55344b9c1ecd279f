import type { Candidate } from './candidates.ts';
import type { Environment } from './environment.ts';
import { type ComparisonResult, measure, type Workload } from './measure.ts';
import type { Options } from './options.ts';
import type { Outcome, SaveResults } from './report.ts';
import type { Requests } from './requests.ts';

/** The service in one of several environments. */
export interface Variant {
  readonly label: string;
  readonly environment: Environment;
  readonly requests: Requests;
}

export interface VariantRoute {
  readonly route: string;
  readonly requests: 'list' | 'config' | 'login' | 'checkLegacy' | 'checkJwt' | 'enterGame' | 'chat';
  readonly body: RegExp;
}

const ENGINES: readonly [data: string, candidate: keyof Environment & `gatehouse${string}`][] = [
  ['SQLite', 'gatehouseSqlite'],
  ['MariaDB', 'gatehouseMariadb'],
];

/** Measures both variants in rotation; the second must reach a fraction of the first one's rate. */
export async function measureVariants(
  [first, second]: readonly [Variant, Variant],
  { routes, atLeast }: { routes: readonly VariantRoute[]; atLeast: number },
  { pace, only }: Options,
  save: SaveResults,
): Promise<Outcome> {
  const results: ComparisonResult[] = [];
  const targets = [{ of: second.label, over: first.label, atLeast }];
  try {
    for (const [data, candidate] of ENGINES) {
      for (const { route, requests, body } of routes) {
        if (only.size > 0 && !only.has(route)) continue;
        console.error(`${route} on ${data}, ${first.label} and ${second.label} …`);
        const workloads: Workload[] = [];
        for (const variant of [first, second])
          workloads.push({
            candidate: named(await variant.environment[candidate](), variant.label),
            requests: variant.requests[requests],
            expect: { status: 200, body },
          });
        results.push(await measure({ route, data, workloads, targets }, pace));
        save({ results, findings: [] });
      }
    }
  } finally {
    await Promise.all([first, second].map(({ environment }) => environment.stop()));
  }
  return { results, findings: [] };
}

const named = (candidate: Candidate, name: string): Candidate => ({ ...candidate, name });
