import { join } from 'node:path';
import { type Mariadb, startMariadb } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { behindNginx, startFiles, startPhp } from './behind-nginx.ts';
import { type Candidate, startBaseline, startGatehouseOn, startProgram } from './candidates.ts';
import { LOAD_CORE, pin } from './cores.ts';
import { fillBetterAuth, fillMariadb, fillSqlite, sealAll } from './fill.ts';
import { hashForBetterAuth, hashForExpress, hashForGatehouse } from './slow-hashes.ts';
import { SEAL_KEY, SLOW_PLAYERS } from './test-data.ts';

/** Databases and candidates, each started on first use. */
export interface Environment {
  readonly sqlite: () => Promise<string>;
  readonly mariadb: () => Promise<string>;
  readonly bare: () => Promise<Candidate>;
  readonly reader: () => Promise<Candidate>;
  readonly gatehouseSqlite: () => Promise<Candidate>;
  readonly gatehouseMariadb: () => Promise<Candidate>;
  /** Same, with every password hash sealed. */
  readonly sealedSqlite: () => Promise<Candidate>;
  readonly sealedMariadb: () => Promise<Candidate>;
  readonly baselineSqlite: () => Promise<Candidate>;
  readonly baselineMariadb: () => Promise<Candidate>;
  readonly baselinePipelined: () => Promise<Candidate>;
  readonly express: () => Promise<Candidate>;
  readonly betterAuth: () => Promise<Candidate>;
  /** The service on MariaDB behind the shipped nginx configuration. */
  readonly behindNginx: () => Promise<Candidate>;
  /** nginx with the public answers as files. */
  readonly files: () => Promise<Candidate>;
  readonly php: () => Promise<Candidate>;
  /** The three with `SLOW_PLAYERS` players and hashes that are slow on purpose. */
  readonly gatehouseArgon2: () => Promise<Candidate>;
  readonly expressArgon2: () => Promise<Candidate>;
  readonly betterAuthScrypt: () => Promise<Candidate>;
  stop(): Promise<void>;
}

export interface DatabaseServer {
  /** Creates an empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** A private MariaDB whose buffer pool holds all data, as the documentation recommends. Used by the service and the baselines. */
export function databaseServer(players: number): DatabaseServer {
  const megabytes = Math.max(512, Math.ceil(players / 1_000_000) * 2048);
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

/** Opens the environment with the service of this checkout or of another. */
export function openEnvironment(players: number, server: DatabaseServer, checkout?: string): Environment {
  const started: Candidate[] = [];
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
  };
  const candidateOnce = (make: () => Promise<Candidate>) =>
    once(async () => {
      const candidate = await make();
      started.push(candidate);
      return candidate;
    });

  const newSqlite = async () => {
    const file = join(tempDir('sqlite'), 'players.db');
    await fillSqlite(file, players, checkout);
    return `sqlite:${file}`;
  };
  const newMariadb = async () => {
    const url = await server.createDatabase();
    await fillMariadb(url, players, checkout);
    return url;
  };
  const sqlite = once(newSqlite);
  const mariadb = once(newMariadb);
  // Not the service's own: a suspended candidate would keep its locks while another is measured.
  const baselineMariadbUrl = once(newMariadb);
  const sealed = (makeDatabase: () => Promise<string>) =>
    candidateOnce(async () => {
      const url = await makeDatabase();
      await sealAll(url);
      return startGatehouseOn(url, 'gatehouse, sealed', { sealKey: SEAL_KEY, checkout });
    });
  const gatehouseSqlite = candidateOnce(async () =>
    startGatehouseOn(await sqlite(), 'gatehouse', { checkout }),
  );

  const gatehouseMariadb = candidateOnce(async () =>
    startGatehouseOn(await mariadb(), 'gatehouse', { checkout }),
  );

  return {
    sqlite,
    mariadb,
    gatehouseSqlite,
    gatehouseMariadb,
    sealedSqlite: sealed(newSqlite),
    sealedMariadb: sealed(newMariadb),
    bare: candidateOnce(async () => {
      const { port } = await gatehouseSqlite();
      const paths = ['/api/server/list', '/api/config'];
      const bodies = await Promise.all(paths.map(async (path) => [path, await bodyOf(port, path)]));
      return startProgram('node:http', 'candidates/bare.ts', bodies.flat());
    }),
    reader: candidateOnce(() => startProgram('node:http, keeps nothing', 'candidates/reader.ts', [])),
    baselineSqlite: candidateOnce(async () => {
      const { port } = await gatehouseSqlite();
      return startBaseline(await newSqlite(), 'baseline', await bodyOf(port, '/api/server/list'));
    }),
    baselineMariadb: candidateOnce(async () => startBaseline(await baselineMariadbUrl(), 'baseline')),
    baselinePipelined: candidateOnce(async () =>
      startBaseline((await baselineMariadbUrl()).replace('mysql:', 'mariadb:'), 'baseline, pipelined'),
    ),
    express: candidateOnce(async () =>
      startProgram('express', 'candidates/express.ts', [await baselineMariadbUrl()]),
    ),
    betterAuth: candidateOnce(async () => {
      const url = await server.createDatabase();
      const candidate = await startProgram('better-auth', 'candidates/better-auth.ts', [url]);
      await fillBetterAuth(url, players);
      return candidate;
    }),
    behindNginx: candidateOnce(async () => behindNginx(await gatehouseMariadb())),
    files: candidateOnce(async () => {
      const { port } = await gatehouseMariadb();
      const paths = ['/api/server/list', '/api/config'];
      const bodies = await Promise.all(paths.map(async (path) => [path, await bodyOf(port, path)]));
      return startFiles(Object.fromEntries(bodies));
    }),
    php: candidateOnce(async () => startPhp(await baselineMariadbUrl())),
    gatehouseArgon2: candidateOnce(async () => {
      const url = await server.createDatabase();
      await fillMariadb(url, SLOW_PLAYERS, checkout);
      await hashForGatehouse(url, SLOW_PLAYERS);
      return startGatehouseOn(url, 'gatehouse', { argon2: true, checkout });
    }),
    expressArgon2: candidateOnce(async () => {
      const url = await server.createDatabase();
      await fillMariadb(url, SLOW_PLAYERS);
      await hashForExpress(url, SLOW_PLAYERS);
      return startProgram('express', 'candidates/express.ts', [url, 'argon2']);
    }),
    betterAuthScrypt: candidateOnce(async () => {
      const url = await server.createDatabase();
      const candidate = await startProgram('better-auth', 'candidates/better-auth.ts', [url, 'scrypt']);
      await fillBetterAuth(url, SLOW_PLAYERS);
      await hashForBetterAuth(url, SLOW_PLAYERS);
      return candidate;
    }),
    async stop() {
      await Promise.all(started.map((candidate) => candidate.stop()));
    },
  };
}

async function bodyOf(port: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}
