import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { checkParameters } from './parameters.ts';

interface Prepared {
  readonly statement: StatementSync;
  /** Builds a row from its columns' values; undefined if the statement returns no rows. */
  readonly rowOf: ((values: unknown) => unknown) | undefined;
}

/** Statements per generation of the cache. */
const generationSize = 128;
// SQLite's own busy wait would block the process, so it is short; callers retry instead.
const busyTimeoutMs = 10;

export function openConnection(file: string, role: 'reader' | 'writer') {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL'); // an acknowledged write survives a power cut
    database.exec('PRAGMA foreign_keys = ON');
    database.exec('PRAGMA mmap_size = 2147418112'); // the whole file, up to SQLite's 2 GB limit
    database.exec('PRAGMA cache_size = -8192'); // 8 MB: pages are read from the mapped file, and only changed ones are copied
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
      const { statement, rowOf } = prepare(sql);
      if (rowOf) return { rows: statement.all(...values).map(rowOf) as Row[] };
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

/**
 * Caches recently used statements, because preparing costs more than running most of them. Two generations instead of an order of
 * use: a hit costs one lookup.
 */
function statementCache(database: DatabaseSync): (sql: string) => Prepared {
  let young = new Map<string, Prepared>();
  let old = young;
  return (sql) => {
    const known = young.get(sql);
    if (known !== undefined) return known;
    const prepared = old.get(sql) ?? prepareStatement(database, sql);
    if (young.size === generationSize) {
      old = young;
      young = new Map();
    }
    young.set(sql, prepared);
    return prepared;
  };
}

function prepareStatement(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  return { statement, rowOf: columns.length > 0 ? rowBuilder(columns) : undefined };
}

/**
 * Compiles an object literal with these columns, as the MariaDB driver does. Assigning the columns in a loop takes six times as
 * long, and the objects made by SQLite's binding are in dictionary mode, which makes them slow to create and read.
 */
function rowBuilder(columns: readonly string[]): (values: unknown) => unknown {
  const fields = columns.map((name, place) => `${JSON.stringify(name)}: values[${place}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as (values: unknown) => unknown;
}
