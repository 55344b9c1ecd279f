import type { Candidate } from './candidates.ts';
import type { Environment } from './environment.ts';
import { NEWCOMERS } from './fill.ts';
import { rawRequest } from './load.ts';
import type { Comparison, Side, Target } from './measure.ts';
import { type Requests, sessionRequests } from './requests.ts';

type Start = () => Promise<Candidate>;

/** A side that is started when its comparison comes up. */
interface Entry extends Omit<Side, 'candidate' | 'requests'> {
  readonly start: Start;
  readonly requests: readonly string[] | ((candidate: Candidate) => Promise<readonly string[]>);
}

export interface Fixture extends Omit<Comparison, 'sides'> {
  readonly entries: readonly Entry[];
}

export async function prepare({ entries, ...comparison }: Fixture): Promise<Comparison> {
  const sides: Side[] = [];
  for (const { start, requests, ...entry } of entries) {
    const candidate = await start();
    sides.push({
      ...entry,
      candidate,
      requests: typeof requests === 'function' ? await requests(candidate) : requests,
    });
  }
  return { ...comparison, sides };
}

const ok = (body: RegExp) => ({ status: 200, body });
const atLeast = (value: number, over: string): Target => ({ of: 'gatehouse', over, atLeast: value });

/** The same requests for everybody. */
const same = (requests: readonly string[], expect: Side['expect'], ...starts: Start[]): Entry[] =>
  starts.map((start) => ({ start, requests, expect }));

/** Every route against who does the same work, and the ratios that must hold. */
export function fixtures(environment: Environment, requests: Requests, players: number): Fixture[] {
  const { bare, baselineSqlite, gatehouseSqlite } = environment;
  const list = ok(/"servers":\[/);
  const token = ok(/"token"/);
  const bindings = ok(/"connect_id"/);

  return [
    {
      route: 'list',
      data: 'memory',
      entries: same(requests.list, list, bare, baselineSqlite, gatehouseSqlite),
      targets: [atLeast(0.8, 'node:http')],
    },
    {
      route: 'list-304',
      data: 'memory',
      entries: [
        ...same(requests.list, list, bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/server/list') },
      ],
      targets: [atLeast(0.95, 'node:http')],
    },
    {
      route: 'config',
      data: 'memory',
      entries: same(requests.config, ok(/"withdraw"/), bare, gatehouseSqlite),
      targets: [atLeast(0.8, 'node:http')],
    },
    {
      route: 'config-304',
      data: 'memory',
      entries: [
        ...same(requests.config, ok(/"withdraw"/), bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/config') },
      ],
      targets: [atLeast(0.95, 'node:http')],
    },
    {
      route: 'login',
      data: 'MariaDB',
      entries: [
        ...same(requests.login, token, environment.baselineMariadb, environment.gatehouseMariadb),
        ...same(requests.login, token, environment.baselinePipelined, environment.express),
        ...same(requests.signIn, token, environment.betterAuth),
      ],
      targets: [atLeast(1, 'baseline'), atLeast(10, 'better-auth'), atLeast(1.8, 'express')],
    },
    {
      route: 'bind',
      data: 'MariaDB',
      entries: [
        ...same(
          requests.bindings,
          bindings,
          environment.baselineMariadb,
          environment.gatehouseMariadb,
          environment.express,
        ),
        {
          start: environment.betterAuth,
          expect: ok(/"session"/),
          requests: ({ port }) => sessionRequests(port, players),
        },
      ],
      targets: [atLeast(0.85, 'baseline'), atLeast(8, 'better-auth')],
    },
    {
      route: 'login',
      data: 'SQLite',
      entries: same(requests.login, token, baselineSqlite, gatehouseSqlite),
      targets: [atLeast(0.85, 'baseline')],
    },
    {
      route: 'bind',
      data: 'SQLite',
      entries: same(requests.bindings, bindings, baselineSqlite, gatehouseSqlite),
      targets: [atLeast(0.85, 'baseline')],
    },
    ...onEngine('SQLite', baselineSqlite, gatehouseSqlite, environment.reader, requests, 0.85),
    ...onEngine(
      'MariaDB',
      environment.baselineMariadb,
      environment.gatehouseMariadb,
      environment.reader,
      requests,
      1,
    ),
  ];
}

/** Requests of a client that has the answer already: their ETag still fits. */
const unchanged =
  (path: string) =>
  async ({ port }: Candidate) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    return [rawRequest({ path, headers: { 'if-none-match': headers.get('etag') ?? '' } })];
  };

/** What is measured on both engines alike; reads must reach the given part of the baseline. */
function onEngine(
  data: string,
  baseline: Start,
  own: Start,
  reader: Start,
  requests: Requests,
  reads: number,
): Fixture[] {
  const duel = (route: string, all: readonly string[], expect: Side['expect'], ...targets: Target[]) => ({
    route,
    data,
    entries: same(all, expect, baseline, own),
    targets,
  });
  const half = NEWCOMERS / 2;
  const registered = { status: 201, body: /"token"/ };
  return [
    duel('login-wrong', requests.wrongLogin, { status: 401, body: /invalid_credentials/ }),
    duel('check-legacy', requests.checkLegacy, ok(/"valid":true/), atLeast(reads, 'baseline')),
    duel('check-jwt', requests.checkJwt, ok(/"valid":true/), atLeast(reads, 'baseline')),
    duel('enter_game', requests.enterGame, ok(/"server"/), atLeast(0.8, 'baseline')),
    {
      route: 'register',
      data,
      once: true,
      entries: [
        ...same(requests.register.slice(0, half), registered, baseline),
        ...same(requests.register.slice(half), registered, own),
      ],
    },
    {
      route: 'chat',
      data,
      entries: same(requests.chat, ok(/"accepted":1/), baseline, own, reader),
      targets: [atLeast(5, 'baseline')],
    },
    {
      route: 'chat-batch',
      data,
      entries: [
        ...same(requests.chat, ok(/"accepted":1/), baseline),
        { start: own, requests: requests.chatBatch, expect: ok(/"accepted":100/), records: requests.batch },
      ],
    },
  ];
}
