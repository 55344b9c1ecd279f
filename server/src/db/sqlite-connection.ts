import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { checkParameters } from './parameters.ts';

interface Prepared {
  readonly statement: StatementSync;
  /** Column names of its rows; empty if it returns none. */
  readonly columns: readonly string[];
}

const maxStatements = 256;
// SQLite's own busy wait would block the process, so it is short; callers retry instead.
const busyTimeoutMs = 10;

export function openConnection(file: string, role: 'reader' | 'writer') {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL'); // an acknowledged write survives a power cut
    database.exec('PRAGMA foreign_keys = ON');
    database.exec('PRAGMA mmap_size = 2147418112'); // the whole file, up to SQLite's 2 GB limit
    database.exec('PRAGMA cache_size = -65536'); // 64 MB
    if (role === 'reader') database.exec('PRAGMA query_only = ON');
  } catch (error) {
    database.close();
    throw error;
  }
  const prepare = statementCache(database);

  return {
    get inTransaction() {
      return database.isTransaction;
    },
    run<Row>({ sql, parameters, query }: CompiledQuery): QueryResult<Row> {
      const values = checkParameters(parameters);
      const { statement, columns } = prepare(sql);
      if (columns.length > 0)
        return {
          rows: statement.all(...values).map((row) => rowOf(columns, row as unknown as unknown[])) as Row[],
        };
      const { changes, lastInsertRowid } = statement.run(...values);
      return {
        rows: [],
        numAffectedRows: BigInt(changes),
        ...(query.kind === 'InsertQueryNode' && { insertId: BigInt(lastInsertRowid) }),
      };
    },
    exec: (sql: string) => database.exec(sql),
    close: () => database.close(),
  };
}

export type SqliteConnection = ReturnType<typeof openConnection>;

/** Caches the most recently used statements: preparing costs more than running most of them. */
function statementCache(database: DatabaseSync): (sql: string) => Prepared {
  const statements = new Map<string, Prepared>();
  return (sql) => {
    const known = statements.get(sql);
    const prepared = known ?? prepareStatement(database, sql);
    if (known !== undefined) statements.delete(sql);
    statements.set(sql, prepared);
    const [oldest] = statements.keys();
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest);
    return prepared;
  };
}

function prepareStatement(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return { statement, columns: statement.columns().map(({ name }) => name) };
}

/**
 * Builds a row. The objects made by SQLite's binding are in dictionary mode, which take half as long again to create and read.
 */
function rowOf(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let place = 0; place < columns.length; place++) row[columns[place] as string] = values[place];
  return row;
}
