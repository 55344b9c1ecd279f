import { join } from 'node:path';
import { type Mariadb, startMariadb } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { type Contender, startFloor, startGatehouseOn, startProgram } from './contenders.ts';
import { LOAD_CORE, pin } from './cores.ts';
import { fillBetterAuth, fillMariadb, fillSqlite } from './fill.ts';

/** Where the contenders meet: the data, and each of them, made when first asked for. */
export interface Arena {
  readonly sqlite: () => Promise<string>;
  readonly mariadb: () => Promise<string>;
  readonly bare: () => Promise<Contender>;
  readonly reader: () => Promise<Contender>;
  readonly gatehouseSqlite: () => Promise<Contender>;
  readonly gatehouseMariadb: () => Promise<Contender>;
  readonly floorSqlite: () => Promise<Contender>;
  readonly floorMariadb: () => Promise<Contender>;
  readonly floorPipelined: () => Promise<Contender>;
  readonly express: () => Promise<Contender>;
  readonly betterAuth: () => Promise<Contender>;
  stop(): Promise<void>;
}

export interface DatabaseServer {
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** A private MariaDB whose buffer pool holds all the data, as an operator is told to set it. */
export function databaseServer(players: number): DatabaseServer {
  const megabytes = Math.max(256, Math.ceil(players / 1_000_000) * 1024);
  let server: Promise<Mariadb> | undefined;
  const start = async () => {
    const started = await startMariadb({
      args: [`--innodb-buffer-pool-size=${megabytes}M`, '--innodb-log-file-size=512M'],
    });
    pin(started.pid, LOAD_CORE);
    return started;
  };
  return {
    async createDatabase() {
      server ??= start();
      return (await server).createDatabase();
    },
    stop: async () => (await server)?.stop(),
  };
}

export function openArena(players: number, server: DatabaseServer): Arena {
  const started: Contender[] = [];
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
  };
  const kept = (make: () => Promise<Contender>) =>
    once(async () => {
      const contender = await make();
      started.push(contender);
      return contender;
    });

  const sqlite = once(async () => {
    const file = join(tempDir('sqlite'), 'players.db');
    await fillSqlite(file, players);
    return `sqlite:${file}`;
  });
  const mariadb = once(async () => {
    const url = await server.createDatabase();
    await fillMariadb(url, players);
    return url;
  });
  const gatehouseSqlite = kept(async () => startGatehouseOn(await sqlite(), 'gatehouse'));

  return {
    sqlite,
    mariadb,
    gatehouseSqlite,
    gatehouseMariadb: kept(async () => startGatehouseOn(await mariadb(), 'gatehouse')),
    bare: kept(async () => {
      const { port } = await gatehouseSqlite();
      const paths = ['/api/server/list', '/api/config'];
      const bodies = await Promise.all(paths.map(async (path) => [path, await bodyOf(port, path)]));
      return startProgram('node:http', 'contenders/bare.ts', bodies.flat());
    }),
    reader: kept(() => startProgram('node:http, keeps nothing', 'contenders/reader.ts', [])),
    floorSqlite: kept(async () => {
      const { port } = await gatehouseSqlite();
      return startFloor(await sqlite(), 'floor', await bodyOf(port, '/api/server/list'));
    }),
    floorMariadb: kept(async () => startFloor(await mariadb(), 'floor')),
    floorPipelined: kept(async () =>
      startFloor((await mariadb()).replace('mysql:', 'mariadb:'), 'floor, pipelined'),
    ),
    express: kept(async () => startProgram('express', 'contenders/express.ts', [await mariadb()])),
    betterAuth: kept(async () => {
      const url = await server.createDatabase();
      const contender = await startProgram('better-auth', 'contenders/better-auth.ts', [url]);
      await fillBetterAuth(url, players);
      return contender;
    }),
    async stop() {
      await Promise.all(started.map((contender) => contender.stop()));
    },
  };
}

async function bodyOf(port: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}
