import { indexName } from './ddl.ts';

export type DbFailure = 'duplicate' | 'retry' | 'outcome_unknown' | 'unavailable' | 'other';

/** The database cannot be reached or cannot work. Nothing was changed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The connection broke during a statement, which may or may not have taken effect. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A statement took longer than allowed: its connection is discarded. */
export class StatementTimeout extends ConnectionLost {}

/** COMMIT was sent and never confirmed: re-read by id before deciding anything. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A row has changed since the transaction read it. Nothing was written; repeat the whole transaction. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

// MySQL and MariaDB: https://mariadb.com/kb/en/mariadb-error-code-reference/
const mysqlDuplicate = new Set([1062, 1586]);
// Lock wait, deadlock (also a Galera certification failure), changed since last read, statement must be prepared again.
const mysqlRetry = new Set([1205, 1213, 1020, 1615]);
// Shutdown, killed, idle for too long, node outside the cluster's majority, error during COMMIT, gone away, lost.
const mysqlLost = new Set([1047, 1053, 1180, 1927, 2006, 2013, 4031]);
// Disk or table full, too many connections or statements, refused credentials, no such database, read-only server.
const mysqlUnavailable = new Set([
  1021, 1040, 1044, 1045, 1049, 1114, 1129, 1130, 1203, 1226, 1290, 1461, 1836,
]);

// SQLite: unique index, primary key, rowid.
const sqliteDuplicate = new Set([2067, 1555, 2579]);
// Primary result codes: busy, locked.
const sqliteRetry = new Set([5, 6]);
// Read-only, I/O error, corrupt, disk full, cannot open, not a database.
const sqliteUnavailable = new Set([8, 10, 11, 13, 14, 26]);

export function classify(error: unknown): DbFailure {
  if (error instanceof DatabaseUnavailable) return 'unavailable';
  if (error instanceof ConnectionLost || error instanceof OutcomeUnknown) return 'outcome_unknown';
  if (error instanceof ChangedMeanwhile) return 'retry';
  const mysql = mysqlErrno(error);
  if (mysql !== undefined) return classifyMysql(mysql);
  const sqlite = sqliteErrcode(error);
  return sqlite === undefined ? 'other' : classifySqlite(sqlite);
}

/** Returns the name of the violated unique index (`PRIMARY` for a primary key), the same on both engines. */
export function duplicateKey(error: unknown): string | undefined {
  if (classify(error) !== 'duplicate' || !(error instanceof Error)) return undefined;
  const sqlite = sqliteErrcode(error);
  if (sqlite === undefined) return /for key '(?:[^'.]*\.)?([^'.]+)'$/.exec(error.message)?.[1];
  if (sqlite !== 2067) return 'PRIMARY';
  const columns = /^UNIQUE constraint failed: (.+)$/.exec(error.message)?.[1]?.split(', ');
  const table = columns?.[0]?.split('.')[0];
  return (
    table &&
    columns &&
    indexName(
      table,
      columns.map((column) => column.slice(table.length + 1)),
    )
  );
}

export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || mysqlLost.has(mysqlErrno(error) ?? 0);
}

// Primary result codes: read-only, I/O error, disk full.
const sqliteUnwritable = new Set([8, 10, 13]);

/** Reports whether SQLite cannot write the file: the disk is full, broken or read-only. */
export function isUnwritable(error: unknown): boolean {
  const { cause } = error instanceof OutcomeUnknown ? error : { cause: error };
  return sqliteUnwritable.has((sqliteErrcode(cause) ?? 0) & 0xff);
}

export function isSqliteBusy(error: unknown): boolean {
  return sqliteRetry.has((sqliteErrcode(error) ?? 0) & 0xff);
}

function classifyMysql(errno: number): DbFailure {
  if (mysqlDuplicate.has(errno)) return 'duplicate';
  if (mysqlRetry.has(errno)) return 'retry';
  if (mysqlLost.has(errno)) return 'outcome_unknown';
  return mysqlUnavailable.has(errno) ? 'unavailable' : 'other';
}

function classifySqlite(errcode: number): DbFailure {
  if (sqliteDuplicate.has(errcode)) return 'duplicate';
  if (sqliteRetry.has(errcode & 0xff)) return 'retry';
  return sqliteUnavailable.has(errcode & 0xff) ? 'unavailable' : 'other';
}

/** Only server errors have a sqlState; an errno alone may come from the operating system. */
function mysqlErrno(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('sqlState' in error) || !('errno' in error)) return undefined;
  return typeof error.errno === 'number' ? error.errno : undefined;
}

function sqliteErrcode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
