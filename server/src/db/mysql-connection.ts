import type { Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2';
import type { Host } from '../urls/host-list.ts';
import type { MysqlTarget } from '../urls/mysql-url.ts';
import { mysqlTls } from '../urls/tls.ts';

export type RawConnection = Connection & { readonly stream: Socket };

/**
 * READ COMMITTED: our transactions decide by conditional updates and unique keys, never by a value read earlier, and the gap
 * locks of REPEATABLE READ would only add deadlocks. Lock waits end before our own timeouts.
 */
const sessionStatements = (lockWaitS: number) => [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', innodb_lock_wait_timeout = ${lockWaitS}, lock_wait_timeout = ${lockWaitS}`,
];

/** Only some servers support these; errors are ignored. */
const optionalStatements = [
  // On a Galera cluster, makes a read see what another node has just committed.
  'SET SESSION wsrep_sync_wait = 1',
  // A process suspended inside a transaction must not keep its locks.
  'SET SESSION idle_transaction_timeout = 2',
];

/** Opens a connection with our session settings. */
export async function openSessionConnection(
  target: MysqlTarget,
  host: Host,
  { timeoutMs, lockWaitS }: { readonly timeoutMs: number; readonly lockWaitS: number },
): Promise<RawConnection> {
  const connection = await openConnection(target, host, timeoutMs);
  try {
    for (const statement of sessionStatements(lockWaitS)) await query(connection, statement, timeoutMs);
    for (const statement of optionalStatements)
      await query(connection, statement, timeoutMs).catch(ignoreServerError);
    return connection;
  } catch (error) {
    destroy(connection);
    throw error;
  }
}

export function openConnection(
  { user, password, database, tls }: MysqlTarget,
  { host, port }: Host,
  timeoutMs: number,
): Promise<RawConnection> {
  const connection = createConnection({
    user,
    password,
    database,
    host,
    port,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    decimalNumbers: true,
    connectTimeout: timeoutMs,
    ...mysqlTls(tls, { host, port }),
    keepAliveInitialDelay: 10_000,
    // The server limits prepared statements across all its clients (16,382 by default).
    maxPreparedStatements: 100,
    // FOUND_ROWS makes an UPDATE count matched rows, as SQLite does. No server may request our files.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  }) as RawConnection;
  // A pending query is rejected anyway; without a listener, an error between two statements would crash the process.
  connection.on('error', () => {});
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (error === null || error === undefined) return resolve(connection);
      destroy(connection);
      reject(error);
    });
  });
}

export function query(connection: RawConnection, sql: string, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, timeout: timeoutMs }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/**
 * Ends a statement that still runs on the server, over a separate connection; rejects if the host does not answer. Behind a load
 * balancer the connection may reach another node, so it kills the thread only if that has been running a statement for at least
 * this long.
 */
export async function killQuery(
  target: MysqlTarget,
  host: Host,
  { threadId, runningForS, timeoutMs }: { threadId: number; runningForS: number; timeoutMs: number },
): Promise<void> {
  const connection = await openConnection(target, host, timeoutMs);
  try {
    const running = await query(
      connection,
      `SELECT id FROM information_schema.processlist WHERE id = ${threadId} AND time >= ${runningForS}`,
      timeoutMs,
    );
    if ((running as unknown[]).length > 0)
      await query(connection, `KILL QUERY ${threadId}`, timeoutMs).catch(ignoreServerError);
  } finally {
    destroy(connection);
  }
}

export function destroy(connection: RawConnection): void {
  connection.destroy();
  connection.stream.destroy();
}

/** Unlike destroy, rejects the pending query. */
export function cut(connection: RawConnection, reason: string): void {
  connection.stream.destroy(new Error(reason));
}

function ignoreServerError(error: unknown): void {
  if (!(error instanceof Error && 'sqlState' in error)) throw error;
}
