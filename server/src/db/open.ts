import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { withTimeout } from '../runtime/with-timeout.ts';
import { parseMysqlUrl } from '../urls/mysql-url.ts';
import { nowSql } from './ddl.ts';
import { DatabaseUnavailable } from './errors.ts';
import { type DatabaseLimits, usualLimits } from './limits.ts';
import type { Database } from './schema.ts';
import type { DatabaseLoad, OpenedEngine, Read } from './session.ts';
import { openSqlite } from './sqlite.ts';
import { runTransaction, type TransactionWork, type Trx } from './transaction.ts';

export type Engine = 'sqlite' | 'mysql';

export interface Db {
  readonly engine: Engine;
  /** For single statements. `numAffectedRows` counts matched rows on both engines. */
  readonly kysely: Kysely<Database>;
  /** For reads compiled once, see prepared.ts and lookup.ts. */
  readonly read: Read;
  /** Returns how busy the connections are. */
  load(): DatabaseLoad;
  /** Atomic; repeated as a whole after a deadlock or a lost connection, so the work must have no other side effects. */
  transaction<T>(work: TransactionWork<T>): Promise<T>;
  /** The database clock in milliseconds since 1970 UTC, the same for all instances. */
  readonly now: RawBuilder<number>;
  /** Reads that clock, in a transaction or outside of one. */
  readTime(trx?: Trx): Promise<number>;
  /** Queries the database, waiting two seconds at most. */
  ping(): Promise<void>;
  /** Rejects while SQLite cannot write its file. Costs nothing unless a write has failed. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}

const pingTimeoutMs = 2000;

/** Opens `sqlite:path` (creating its folder) or `mysql://user:password@host:port/name`. */
export async function openDatabase(url: string, shorter: Partial<DatabaseLimits> = {}): Promise<Db> {
  const limits = { ...usualLimits, ...shorter };
  const engine = url.startsWith('sqlite:') ? 'sqlite' : 'mysql';
  const {
    dialect,
    read,
    load,
    checkWrites = async () => {},
  } = engine === 'sqlite' ? await openSqliteUrl(url) : await openMysqlUrl(url, limits);
  const kysely = new Kysely<Database>({ dialect });
  // SQLite would answer SELECT 1 without reading its file.
  const query = engine === 'sqlite' ? sql`select count(*) from sqlite_schema` : sql`select 1`;
  const probe = () => query.execute(kysely);
  try {
    await probe();
  } catch (error) {
    await kysely.destroy();
    throw error instanceof DatabaseUnavailable
      ? error
      : new DatabaseUnavailable(reasonOf(error), { cause: error });
  }
  const now = sql<number>`${sql.raw(nowSql(engine))}`;
  return {
    engine,
    kysely,
    read,
    load,
    transaction: (work) => runTransaction(kysely, limits.repeatMs, work),
    now,
    async readTime(trx = kysely as Trx) {
      return (await trx.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now;
    },
    ping: async () => void (await withTimeout(probe(), pingTimeoutMs, tooLate)),
    checkWrites,
    close: () => kysely.destroy(),
  };
}

const tooLate = () => new DatabaseUnavailable(`the database did not answer within ${pingTimeoutMs / 1000} s`);

async function openSqliteUrl(url: string): Promise<OpenedEngine> {
  const path = url.slice('sqlite:'.length);
  if (path === '' || path.startsWith(':'))
    throw new DatabaseUnavailable(`${url} does not name a file: use sqlite:path`);
  const file = resolve(path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    createIfAbsent(file);
    return await openSqlite(file);
  } catch (error) {
    throw new DatabaseUnavailable(`cannot open the database ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Creates the file readable by its owner only, because it holds password hashes; SQLite gives -wal and -shm the same mode.
 * A database that exists is opened by SQLite alone: closing any other descriptor would drop all POSIX locks of this process
 * on the file. Another program would then consider the file unused and delete the WAL of the running service.
 * Synchronous, so that no connection of this process locks the new file before the descriptor is closed.
 */
function createIfAbsent(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function openMysqlUrl(url: string, limits: DatabaseLimits): Promise<OpenedEngine> {
  const target = parseMysqlUrl(url);
  if (target !== undefined) {
    // Imported on demand: it would add a tenth to the start on SQLite.
    const { openMysql } = await import('./mysql.ts');
    return openMysql(target, limits);
  }
  throw new DatabaseUnavailable(
    'the database URL must be sqlite:path or mysql://user:password@host:port/name',
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
