import type { Candidate } from './candidates.ts';
import type { Environment } from './environment.ts';
import { NEWCOMERS } from './fill.ts';
import { rawRequest } from './load.ts';
import type { Comparison, Target, Workload } from './measure.ts';
import { type Requests, requestsFor, sessionRequests } from './requests.ts';
import { SLOW_PLAYERS } from './test-data.ts';

type Start = () => Promise<Candidate>;

/** A workload whose candidate is started when the comparison runs. */
interface PlannedWorkload extends Omit<Workload, 'candidate' | 'requests'> {
  readonly start: Start;
  readonly requests: readonly string[] | ((candidate: Candidate) => Promise<readonly string[]>);
}

export interface PlannedComparison extends Omit<Comparison, 'workloads'> {
  readonly workloads: readonly PlannedWorkload[];
}

export async function prepare({ workloads: planned, ...comparison }: PlannedComparison): Promise<Comparison> {
  const workloads: Workload[] = [];
  for (const { start, requests, ...workload } of planned) {
    const candidate = await start();
    workloads.push({
      ...workload,
      candidate,
      requests: typeof requests === 'function' ? await requests(candidate) : requests,
    });
  }
  return { ...comparison, workloads };
}

const ok = (body: RegExp) => ({ status: 200, body });
const atLeast = (value: number, over: string): Target => ({ of: 'gatehouse', over, atLeast: value });
/** Also no slower than the other in the slowest hundredth of the requests. */
const steadily = (value: number, over: string): Target => ({ ...atLeast(value, over), maxP99: 1 });

/** Sends the same requests to every candidate. */
const same = (
  requests: readonly string[],
  expect: Workload['expect'],
  ...starts: Start[]
): PlannedWorkload[] => starts.map((start) => ({ start, requests, expect }));

/** Lists every route with the programs that do the same work, and the ratios that must hold. */
export function plannedComparisons(
  environment: Environment,
  requests: Requests,
  players: number,
): PlannedComparison[] {
  const { bare, baselineSqlite, gatehouseSqlite } = environment;
  const slow = requestsFor(SLOW_PLAYERS);
  const list = ok(/"servers":\[/);
  const token = ok(/"token"/);
  const bindings = ok(/"connect_id"/);

  return [
    {
      route: 'list',
      data: 'memory',
      workloads: same(requests.list, list, bare, baselineSqlite, gatehouseSqlite),
      targets: [steadily(1.2, 'node:http')],
    },
    {
      route: 'list-304',
      data: 'memory',
      workloads: [
        ...same(requests.list, list, bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/server/list') },
      ],
      targets: [steadily(0.95, 'node:http')],
    },
    {
      route: 'config',
      data: 'memory',
      workloads: same(requests.config, ok(/"withdraw"/), bare, gatehouseSqlite),
      targets: [steadily(1.2, 'node:http')],
    },
    {
      route: 'config-304',
      data: 'memory',
      workloads: [
        ...same(requests.config, ok(/"withdraw"/), bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/config') },
      ],
      targets: [steadily(0.95, 'node:http')],
    },
    {
      route: 'login',
      data: 'MariaDB',
      workloads: [
        ...same(requests.login, token, environment.baselineMariadb, environment.gatehouseMariadb),
        ...same(requests.login, token, environment.baselinePipelined, environment.express),
        ...same(requests.signIn, token, environment.betterAuth),
      ],
      targets: [steadily(1.6, 'baseline'), atLeast(30, 'better-auth'), atLeast(2.5, 'express')],
    },
    {
      route: 'login-argon2',
      data: 'MariaDB',
      // better-auth computes the hashes of all connections in parallel, so with many connections none finishes within a short round.
      connections: 4,
      workloads: [
        ...same(slow.login, token, environment.expressArgon2, environment.gatehouseArgon2),
        ...same(slow.signIn, token, environment.betterAuthScrypt),
      ],
    },
    {
      route: 'bind',
      data: 'MariaDB',
      workloads: [
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
      targets: [steadily(1.8, 'baseline'), atLeast(8, 'better-auth')],
    },
    {
      route: 'login',
      data: 'SQLite',
      workloads: same(requests.login, token, baselineSqlite, gatehouseSqlite),
      targets: [steadily(1.3, 'baseline')],
    },
    {
      route: 'bind',
      data: 'SQLite',
      workloads: same(requests.bindings, bindings, baselineSqlite, gatehouseSqlite),
      targets: [steadily(1.1, 'baseline')],
    },
    {
      route: 'list-nginx',
      data: 'memory',
      workloads: same(requests.list, list, environment.files, environment.behindNginx),
      targets: [{ of: 'nginx + gatehouse', over: 'nginx, file', atLeast: 0.9 }],
    },
    {
      route: 'login-nginx',
      data: 'MariaDB',
      workloads: same(requests.login, token, environment.php, environment.behindNginx),
      targets: [{ of: 'nginx + gatehouse', over: 'nginx + php-fpm', atLeast: 2.5 }],
    },
    ...sealed('SQLite', gatehouseSqlite, environment.sealedSqlite, requests),
    ...sealed('MariaDB', environment.gatehouseMariadb, environment.sealedMariadb, requests),
    ...onEngine('SQLite', baselineSqlite, gatehouseSqlite, environment.reader, requests, {
      check: 1.3,
      enterGame: 1.5,
      chat: 5,
    }),
    ...onEngine(
      'MariaDB',
      environment.baselineMariadb,
      environment.gatehouseMariadb,
      environment.reader,
      requests,
      { check: 2, enterGame: 1.3, chat: 3 },
    ),
  ];
}

/** Measures the cost of sealed password hashes. */
function sealed(data: string, plain: Start, own: Start, requests: Requests): PlannedComparison[] {
  const targets = [{ of: 'gatehouse, sealed', over: 'gatehouse', atLeast: 0.95 }];
  return [
    { route: 'login-sealed', data, targets, workloads: same(requests.login, ok(/"token"/), plain, own) },
    {
      route: 'check-sealed',
      data,
      targets,
      workloads: same(requests.checkLegacy, ok(/"valid":true/), plain, own),
    },
  ];
}

/** Requests of a client that already has the answer: their ETag still matches. */
const unchanged =
  (path: string) =>
  async ({ port }: Candidate) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    return [rawRequest({ path, headers: { 'if-none-match': headers.get('etag') ?? '' } })];
  };

/** Comparisons for both engines; `least` has the minimum ratios to the baseline. */
function onEngine(
  data: string,
  baseline: Start,
  own: Start,
  reader: Start,
  requests: Requests,
  least: { readonly check: number; readonly enterGame: number; readonly chat: number },
): PlannedComparison[] {
  const compare = (
    route: string,
    all: readonly string[],
    expect: Workload['expect'],
    ...targets: Target[]
  ) => ({
    route,
    data,
    workloads: same(all, expect, baseline, own),
    targets,
  });
  const half = NEWCOMERS / 2;
  const registered = { status: 201, body: /"token"/ };
  return [
    compare('login-wrong', requests.wrongLogin, { status: 401, body: /invalid_credentials/ }),
    compare('check-legacy', requests.checkLegacy, ok(/"valid":true/), steadily(least.check, 'baseline')),
    compare('check-jwt', requests.checkJwt, ok(/"valid":true/), steadily(least.check, 'baseline')),
    compare('enter_game', requests.enterGame, ok(/"server"/), steadily(least.enterGame, 'baseline')),
    {
      route: 'register',
      data,
      once: true,
      targets: [atLeast(0.4, 'baseline')],
      workloads: [
        ...same(requests.register.slice(0, half), registered, baseline),
        ...same(requests.register.slice(half), registered, own),
      ],
    },
    {
      route: 'chat',
      data,
      workloads: same(requests.chat, ok(/"accepted":1/), baseline, own, reader),
      targets: [steadily(least.chat, 'baseline')],
    },
    {
      route: 'chat-batch',
      data,
      workloads: [
        ...same(requests.chat, ok(/"accepted":1/), baseline),
        { start: own, requests: requests.chatBatch, expect: ok(/"accepted":100/), records: requests.batch },
      ],
    },
  ];
}
