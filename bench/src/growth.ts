import type { Candidate } from './candidates.ts';
import { databaseServer, type Environment, openEnvironment } from './environment.ts';
import { type ComparisonResult, measure, type Workload } from './measure.ts';
import type { Options } from './options.ts';
import type { Outcome, SaveResults } from './report.ts';
import { requestsFor } from './requests.ts';

const FEW = 10_000;
const MANY = 5_000_000;
/** At most 1.1 times the cost. */
const LEAST = 0.91;

/** The same service on few and on many players, in turns. */
export async function measureGrowth(
  { pace, only, players, quick }: Options,
  save: SaveResults,
): Promise<Outcome> {
  const many = quick ? players : MANY;
  const server = databaseServer(many);
  const sizes = [FEW, many].map((size) => ({
    environment: openEnvironment(size, server),
    requests: requestsFor(size),
    label: `${size.toLocaleString('en')} players`,
  }));
  const engines: [data: string, candidate: keyof Environment & `gatehouse${string}`][] = [
    ['SQLite', 'gatehouseSqlite'],
    ['MariaDB', 'gatehouseMariadb'],
  ];
  const routes = [
    { route: 'login', key: 'login', expect: { status: 200, body: /"token"/ } },
    { route: 'check-legacy', key: 'checkLegacy', expect: { status: 200, body: /"valid":true/ } },
  ] as const;
  const results: ComparisonResult[] = [];
  try {
    for (const [data, candidate] of engines) {
      for (const { route, key, expect } of routes) {
        if (only.size > 0 && !only.has(route)) continue;
        console.error(`${route} on ${data}, few and many players …`);
        const workloads: Workload[] = [];
        for (const { environment, requests, label } of sizes)
          workloads.push({
            candidate: named(await environment[candidate](), label),
            requests: requests[key],
            expect,
          });
        const [few = '', most = ''] = sizes.map(({ label }) => label);
        const targets = [{ of: most, over: few, atLeast: LEAST }];
        results.push(await measure({ route, data, workloads, targets }, pace));
        save({ results, findings: [] });
      }
    }
  } finally {
    await Promise.all(sizes.map(({ environment }) => environment.stop()));
    await server.stop();
  }
  return { results, findings: [] };
}

const named = (candidate: Candidate, name: string): Candidate => ({ ...candidate, name });
