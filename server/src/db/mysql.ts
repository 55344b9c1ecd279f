import { CompiledQuery, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, type QueryResult } from 'kysely';
import mysql, {
  type FieldPacket,
  type PrepareStatementInfo,
  type QueryError,
  type ResultSetHeader,
  type RowDataPacket,
} from 'mysql2';
import { withTimeout } from '../runtime/with-timeout.ts';
import type { MysqlTarget } from '../urls/mysql-url.ts';
import { DEFINITION_TIMEOUT_MS } from './ddl.ts';
import { ConnectionLost, classify, isConnectionLost, OutcomeUnknown, StatementTimeout } from './errors.ts';
import type { DatabaseLimits } from './limits.ts';
import type { RawConnection } from './mysql-connection.ts';
import { type MysqlPool, openPool } from './mysql-pool.ts';
import { checkParameters, type Parameter } from './parameters.ts';
import { isRead, noStreaming, type OpenedEngine, type Session, sessionDriver } from './session.ts';
import { repeatWhile } from './transaction.ts';

// These are getters that load a module at each call.
const { TypedParameter, Types } = mysql;
const COMMIT = 'COMMIT';

export function openMysql(target: MysqlTarget, limits: DatabaseLimits): OpenedEngine {
  const pool = openPool(target, limits);
  const open = () => openSession(pool, limits);
  return {
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => sessionDriver({ openSession: open, close: pool.close }),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
    load: pool.load,
    async read<Row>(query: CompiledQuery<Row>) {
      const session = open();
      try {
        return (await session.executeQuery<Row>(query)).rows;
      } finally {
        await session.release();
      }
    },
  };
}

function openSession(pool: MysqlPool, { statementMs, repeatMs }: DatabaseLimits): Session {
  let connection: RawConnection | undefined;
  let inTransaction = false;
  // A deadlock or lost connection ends the transaction on the server; continuing would commit statements one by one.
  let brokenBy: unknown;

  async function run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (brokenBy !== undefined) throw brokenBy;
    connection ??= await pool.acquire();
    try {
      return await send<Row>(connection, query, statementMs);
    } catch (error) {
      const lost = isConnectionLost(error);
      // A COMMIT is not killed: it may be taking effect.
      if (error instanceof StatementTimeout && query.sql !== COMMIT) abandonConnection();
      else if (lost) dropConnection();
      if (inTransaction && (lost || classify(error) === 'retry')) brokenBy = error;
      throw error;
    }
  }

  function dropConnection(): void {
    if (connection !== undefined) pool.discard(connection);
    connection = undefined;
  }

  function abandonConnection(): void {
    if (connection !== undefined) pool.abandon(connection, statementMs);
    connection = undefined;
  }

  return {
    executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (inTransaction) return run<Row>(query);
      // A refused statement has done nothing, and repeating a lost read is harmless.
      const isHarmless = (error: unknown) =>
        classify(error) === 'retry' || (isConnectionLost(error) && isRead(query));
      return repeatWhile(isHarmless, repeatMs, () => run<Row>(query));
    },
    streamQuery: noStreaming,
    async begin() {
      await run(CompiledQuery.raw('BEGIN'));
      inTransaction = true;
    },
    async commit() {
      if (brokenBy !== undefined) throw brokenBy;
      // If COMMIT was not sent, the server rolls back, so the outcome is known.
      if (connection?.stream.destroyed) throw new ConnectionLost('the connection broke before the commit');
      try {
        await run(CompiledQuery.raw(COMMIT));
        inTransaction = false;
      } catch (error) {
        if (classify(error) === 'retry') throw error;
        dropConnection();
        throw new OutcomeUnknown('the commit was not confirmed', { cause: error });
      }
    },
    rollback,
    async release() {
      await rollback();
      if (connection !== undefined) pool.release(connection);
      connection = undefined;
    },
  };

  async function rollback(): Promise<void> {
    if (!inTransaction) return;
    inTransaction = false;
    if (connection === undefined) return;
    await send(connection, CompiledQuery.raw('ROLLBACK'), statementMs).catch(dropConnection);
  }
}

function send<Row>(
  connection: RawConnection,
  query: CompiledQuery,
  usualTimeoutMs: number,
): Promise<QueryResult<Row>> {
  const values = checkParameters(query.parameters).map(toMysql);
  const timeoutMs = /^(create|alter|drop)\b/i.test(query.sql) ? DEFINITION_TIMEOUT_MS : usualTimeoutMs;
  const sent = new Promise<QueryResult<Row>>((resolve, reject) => {
    const answer = (error: QueryError | null, result: unknown, fields: FieldPacket[] | undefined) => {
      try {
        if (error) throw error.fatal ? new ConnectionLost(error.message, { cause: error }) : error;
        resolve(toResult<Row>(result, fields));
      } catch (failure) {
        reject(failure);
      }
    };
    // Transaction commands and definitions cannot be prepared everywhere; all other statements are prepared.
    if (query.query.kind === 'RawNode' && values.length === 0) connection.query(query.sql, answer);
    else execute(connection, query.sql, values, answer);
  });
  const noAnswer = () => new StatementTimeout(`the database did not answer within ${timeoutMs / 1000} s`);
  return withTimeout(sent, timeoutMs, noAnswer);
}

/** What the driver knows about the parameters and columns of a statement. */
type Described = PrepareStatementInfo & { parameters?: readonly unknown[]; columns?: readonly unknown[] };

/**
 * Prepares the statement unless this connection has, and executes it. The driver would keep the descriptions, a quarter of the heap.
 * It uses them only to convert numbers, which are converted here.
 */
function execute(
  connection: RawConnection,
  sql: string,
  values: readonly unknown[],
  answer: (error: QueryError | null, result: RowDataPacket[], fields: FieldPacket[]) => void,
): void {
  connection.prepare(sql, (error, statement: Described) => {
    if (error) return answer(error, [], []);
    statement.parameters = [];
    statement.columns = [];
    statement.execute(values, answer);
  });
}

/** Sends integers as BIGINT: mysql2 would send a number as DOUBLE, which LIMIT refuses and which loses digits. */
function toMysql(value: Parameter) {
  if (typeof value === 'bigint') return TypedParameter.BIGINT(value);
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function toResult<Row>(result: unknown, fields: FieldPacket[] | undefined): QueryResult<Row> {
  if (Array.isArray(result)) {
    for (const field of fields ?? []) if (isWide(field)) refuseLostDigits(result, field.name);
    return { rows: result };
  }
  const { affectedRows, insertId } = result as ResultSetHeader;
  return {
    rows: [],
    numAffectedRows: BigInt(affectedRows),
    ...(insertId > 0 && { insertId: BigInt(insertId) }),
  };
}

function isWide({ columnType }: FieldPacket): boolean {
  return columnType === Types.LONGLONG || columnType === Types.NEWDECIMAL;
}

function refuseLostDigits(rows: Record<string, unknown>[], column: string): void {
  for (const row of rows) {
    const value = row[column];
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new RangeError(`column ${column} holds a number beyond 2^53 - 1`);
    }
  }
}
