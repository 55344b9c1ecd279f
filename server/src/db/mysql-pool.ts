import type { Socket } from 'node:net';
import { createPool, type PoolConnection } from 'mysql2';
import { DatabaseUnavailable } from './errors.ts';
import { trackHosts } from './mysql-hosts.ts';
import { describeTarget, type MysqlTarget } from './mysql-url.ts';

export type RawConnection = PoolConnection & { readonly stream: Socket };

export interface MysqlPool {
  /** Bounded in time and in the number of waiters; fails over to the next host of a cluster. */
  acquire(): Promise<RawConnection>;
  release(connection: RawConnection): void;
  /** Throws a broken connection away. */
  discard(connection: RawConnection): void;
  close(): Promise<void>;
}

const connectTimeoutMs = 3000;
const acquireTimeoutMs = 5000;
const closeTimeoutMs = 3000;

/**
 * READ COMMITTED: our transactions decide by conditional updates and unique keys, never by a value read earlier,
 * and the gap locks of REPEATABLE READ would only add deadlocks. Lock waits end before our own patience does.
 */
const sessionStatements = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', innodb_lock_wait_timeout = 4, lock_wait_timeout = 4`,
];
/** On a Galera cluster a read then sees what another node has just committed. */
const clusterStatement = 'SET SESSION wsrep_sync_wait = 1';

export function openPool(target: MysqlTarget): MysqlPool {
  const hosts = trackHosts(target.hosts);
  const ready = new WeakSet<RawConnection>();
  const pool = createPool({
    user: target.user,
    password: target.password,
    database: target.database,
    stream: hosts.connect,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    decimalNumbers: true,
    connectTimeout: connectTimeoutMs,
    connectionLimit: 32,
    queueLimit: 2048,
    // The server bounds prepared statements over all its clients (16,382 by default).
    maxPreparedStatements: 100,
    // FOUND_ROWS: an UPDATE counts the rows it matched, as SQLite does. No server may ask for our files.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  });
  // The pool drops a broken idle connection by itself; without a listener a second error would end the process.
  pool.on('connection', (connection) => connection.on('error', () => {}));

  async function acquire(): Promise<RawConnection> {
    for (let failures = 0; ; ) {
      const host = hosts.present();
      try {
        const connection = await take();
        if (hosts.isTrusted(connection.stream)) return await prepareSession(connection);
        destroy(connection);
      } catch (error) {
        // Without a code it is our own pool that is exhausted or closed, and another host would not help.
        if (!(error instanceof Error && 'code' in error)) throw unavailable(error);
        hosts.leave(host);
        if (++failures >= hosts.count) throw unavailable(error);
      }
    }
  }

  function take(): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(new Error(`no free connection within ${acquireTimeoutMs / 1000} s`));
      }, acquireTimeoutMs);
      pool.getConnection((error, connection) => {
        clearTimeout(timer);
        if (late) connection?.release();
        else if (error) reject(error);
        else resolve(connection as RawConnection);
      });
    });
  }

  async function prepareSession(connection: RawConnection): Promise<RawConnection> {
    if (ready.has(connection)) return connection;
    try {
      for (const statement of sessionStatements) await query(connection, statement);
      await query(connection, clusterStatement).catch(ignoreServerError);
    } catch (error) {
      destroy(connection);
      throw error;
    }
    ready.add(connection);
    return connection;
  }

  function unavailable(error: unknown): DatabaseUnavailable {
    // A failed connection to "localhost" has no message, only a code.
    const reason = error instanceof Error ? error.message || Reflect.get(error, 'code') : error;
    return new DatabaseUnavailable(`cannot use the database ${describeTarget(target)}: ${reason}`, {
      cause: error,
    });
  }

  return {
    acquire,
    release: (connection) => connection.release(),
    discard(connection) {
      hosts.distrust(connection.stream);
      destroy(connection);
    },
    async close() {
      const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
      const timer = setTimeout(giveUp, closeTimeoutMs);
      await Promise.race([new Promise<void>((done) => pool.end(() => done())), late]);
      clearTimeout(timer);
      hosts.destroyAll();
    },
  };
}

function query(connection: RawConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, timeout: connectTimeoutMs }, (error) => (error ? reject(error) : resolve()));
  });
}

/** A server that was built without Galera does not know the setting. */
function ignoreServerError(error: unknown): void {
  if (!(error instanceof Error && 'sqlState' in error)) throw error;
}

function destroy(connection: RawConnection): void {
  connection.destroy();
  connection.stream.destroy();
}
