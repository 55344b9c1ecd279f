import { type Arena, databaseServer, openArena } from './arena.ts';
import type { Contender } from './contenders.ts';
import { type MatchResult, play, type Side } from './match.ts';
import type { Options } from './options.ts';
import type { Keep, Outcome } from './report.ts';
import { requestsFor } from './requests.ts';

const FEW = 10_000;
const MANY = 5_000_000;
/** At most 1.1 times the cost. */
const LEAST = 0.91;

/** The same service on few and on many players, in turns. */
export async function measureGrowth({ pace, only, players, quick }: Options, keep: Keep): Promise<Outcome> {
  const many = quick ? players : MANY;
  const server = databaseServer(many);
  const sizes = [FEW, many].map((size) => ({
    arena: openArena(size, server),
    requests: requestsFor(size),
    label: `${size.toLocaleString('en')} players`,
  }));
  const engines: [data: string, contender: keyof Arena & `gatehouse${string}`][] = [
    ['SQLite', 'gatehouseSqlite'],
    ['MariaDB', 'gatehouseMariadb'],
  ];
  const routes = [
    { route: 'login', key: 'login', expect: { status: 200, body: /"token"/ } },
    { route: 'check-legacy', key: 'checkLegacy', expect: { status: 200, body: /"valid":true/ } },
  ] as const;
  const results: MatchResult[] = [];
  try {
    for (const [data, contender] of engines) {
      for (const { route, key, expect } of routes) {
        if (only.size > 0 && !only.has(route)) continue;
        console.error(`${route} on ${data}, few and many players …`);
        const sides: Side[] = [];
        for (const { arena, requests, label } of sizes)
          sides.push({ contender: named(await arena[contender](), label), requests: requests[key], expect });
        const [few = '', most = ''] = sizes.map(({ label }) => label);
        const targets = [{ of: most, over: few, atLeast: LEAST }];
        results.push(await play({ route, data, sides, targets }, pace));
        keep({ results, remarks: [] });
      }
    }
  } finally {
    await Promise.all(sizes.map(({ arena }) => arena.stop()));
    await server.stop();
  }
  return { results, remarks: [] };
}

const named = (contender: Contender, name: string): Contender => ({ ...contender, name });
