import type { Arena } from './arena.ts';
import type { Contender } from './contenders.ts';
import { NEWCOMERS } from './fill.ts';
import { rawRequest } from './load.ts';
import type { Match, Side, Target } from './match.ts';
import { type Requests, sessionRequests } from './requests.ts';

type Start = () => Promise<Contender>;

/** A side that is started when its match comes up. */
interface Corner extends Omit<Side, 'contender' | 'requests'> {
  readonly start: Start;
  readonly requests: readonly string[] | ((contender: Contender) => Promise<readonly string[]>);
}

export interface Fixture extends Omit<Match, 'sides'> {
  readonly corners: readonly Corner[];
}

export async function prepare({ corners, ...match }: Fixture): Promise<Match> {
  const sides: Side[] = [];
  for (const { start, requests, ...corner } of corners) {
    const contender = await start();
    sides.push({
      ...corner,
      contender,
      requests: typeof requests === 'function' ? await requests(contender) : requests,
    });
  }
  return { ...match, sides };
}

const ok = (body: RegExp) => ({ status: 200, body });
const atLeast = (value: number, over: string): Target => ({ of: 'gatehouse', over, atLeast: value });

/** The same requests for everybody. */
const same = (requests: readonly string[], expect: Side['expect'], ...starts: Start[]): Corner[] =>
  starts.map((start) => ({ start, requests, expect }));

/** Every route against who does the same work, and the ratios that must hold. */
export function fixtures(arena: Arena, requests: Requests, players: number): Fixture[] {
  const { bare, floorSqlite, gatehouseSqlite } = arena;
  const list = ok(/"servers":\[/);
  const token = ok(/"token"/);
  const bindings = ok(/"connect_id"/);

  return [
    {
      route: 'list',
      data: 'memory',
      corners: same(requests.list, list, bare, floorSqlite, gatehouseSqlite),
      targets: [atLeast(0.8, 'node:http')],
    },
    {
      route: 'list-304',
      data: 'memory',
      corners: [
        ...same(requests.list, list, bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/server/list') },
      ],
      targets: [atLeast(0.95, 'node:http')],
    },
    {
      route: 'config',
      data: 'memory',
      corners: same(requests.config, ok(/"withdraw"/), bare, gatehouseSqlite),
      targets: [atLeast(0.8, 'node:http')],
    },
    {
      route: 'config-304',
      data: 'memory',
      corners: [
        ...same(requests.config, ok(/"withdraw"/), bare),
        { start: gatehouseSqlite, expect: { status: 304 }, requests: unchanged('/api/config') },
      ],
      targets: [atLeast(0.95, 'node:http')],
    },
    {
      route: 'login',
      data: 'MariaDB',
      corners: [
        ...same(requests.login, token, arena.floorMariadb, arena.gatehouseMariadb),
        ...same(requests.login, token, arena.floorPipelined, arena.express),
        ...same(requests.signIn, token, arena.betterAuth),
      ],
      targets: [atLeast(1, 'floor'), atLeast(10, 'better-auth'), atLeast(1.8, 'express')],
    },
    {
      route: 'bind',
      data: 'MariaDB',
      corners: [
        ...same(requests.bindings, bindings, arena.floorMariadb, arena.gatehouseMariadb, arena.express),
        {
          start: arena.betterAuth,
          expect: ok(/"session"/),
          requests: ({ port }) => sessionRequests(port, players),
        },
      ],
      targets: [atLeast(0.85, 'floor'), atLeast(8, 'better-auth')],
    },
    {
      route: 'login',
      data: 'SQLite',
      corners: same(requests.login, token, floorSqlite, gatehouseSqlite),
      targets: [atLeast(0.85, 'floor')],
    },
    {
      route: 'bind',
      data: 'SQLite',
      corners: same(requests.bindings, bindings, floorSqlite, gatehouseSqlite),
      targets: [atLeast(0.85, 'floor')],
    },
    ...onEngine('SQLite', floorSqlite, gatehouseSqlite, arena.reader, requests, 0.85),
    ...onEngine('MariaDB', arena.floorMariadb, arena.gatehouseMariadb, arena.reader, requests, 1),
  ];
}

/** Who has the answer already. */
const unchanged =
  (path: string) =>
  async ({ port }: Contender) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    return [rawRequest({ path, headers: { 'if-none-match': headers.get('etag') ?? '' } })];
  };

/** What is measured on both engines alike; reads must reach the given part of the floor. */
function onEngine(
  data: string,
  floor: Start,
  own: Start,
  reader: Start,
  requests: Requests,
  reads: number,
): Fixture[] {
  const duel = (route: string, all: readonly string[], expect: Side['expect'], ...targets: Target[]) => ({
    route,
    data,
    corners: same(all, expect, floor, own),
    targets,
  });
  const half = NEWCOMERS / 2;
  const registered = { status: 201, body: /"token"/ };
  return [
    duel('login-wrong', requests.wrongLogin, { status: 401, body: /invalid_credentials/ }),
    duel('check-legacy', requests.checkLegacy, ok(/"valid":true/), atLeast(reads, 'floor')),
    duel('check-jwt', requests.checkJwt, ok(/"valid":true/), atLeast(reads, 'floor')),
    duel('enter_game', requests.enterGame, ok(/"server"/), atLeast(0.8, 'floor')),
    {
      route: 'register',
      data,
      once: true,
      corners: [
        ...same(requests.register.slice(0, half), registered, floor),
        ...same(requests.register.slice(half), registered, own),
      ],
    },
    {
      route: 'chat',
      data,
      corners: same(requests.chat, ok(/"accepted":1/), floor, own, reader),
      targets: [atLeast(5, 'floor')],
    },
    {
      route: 'chat-batch',
      data,
      corners: [
        ...same(requests.chat, ok(/"accepted":1/), floor),
        { start: own, requests: requests.chatBatch, expect: ok(/"accepted":100/), records: requests.batch },
      ],
    },
  ];
}
