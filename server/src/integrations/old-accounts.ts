import type { Readable } from 'node:stream';
import mysql, { type Connection, type RowDataPacket, type TypeCastField } from 'mysql2';
import { parseMysqlUrl } from '../urls/mysql-url.ts';
import { mysqlTls } from '../urls/tls.ts';

/** One account of the previous generation, as stored in its source. */
export interface OldRow {
  /** Its position: a line of the file, or the primary key. Increases from row to row. */
  readonly at: string;
  /** The requested columns, in order; NULL is empty text. Undefined if the record is broken. */
  readonly fields: readonly string[] | undefined;
}

export interface WantedRows {
  readonly columns: readonly string[];
  /** Start after this position. */
  readonly after?: string | undefined;
  /** Receives the rows up to that position, which are not returned. */
  readonly skipped?: ((rows: readonly OldRow[]) => void) | undefined;
}

export interface OldAccounts {
  readonly columns: readonly string[];
  /** What `at` means: `line`, or the name of the primary key. */
  readonly place: string;
  /** Whether reading can resume after a known position. */
  readonly resumable: boolean;
  rows(wanted: WantedRows): AsyncIterable<OldRow[]>;
  /** Progress from 0 to 1. */
  fraction(): number;
  close(): void;
}

const GROUP = 1000;
/** Rows of one SELECT by key. Short ones do not keep a MyISAM table locked, which the old service still writes. */
const PAGE = 2000;
const CONNECT_TIMEOUT_MS = 5000;
const QUERY_TIMEOUT_MS = 60_000;
/** The server drops a reader that pauses for this long; a slow import must not lose its source. */
const WRITE_TIMEOUT_S = 3600;

export interface OldTable {
  readonly url: string;
  readonly table: string;
  /** Decodes latin1 and binary columns: old programs wrote GBK into columns declared latin1. */
  readonly decode?: ((bytes: Uint8Array) => string) | undefined;
}

/** Connects to the old database. Its clock is UTC for TIMESTAMP columns. */
export async function connectOld(url: string): Promise<Connection> {
  const target = parseMysqlUrl(url);
  if (target === undefined) throw new Error('the old database must be mysql://user:password@host:port/name');
  const { hosts, user, password, database, tls } = target;
  const connection = mysql.createConnection({
    ...hosts[0],
    ...mysqlTls(tls, hosts[0]),
    user,
    password,
    database,
    charset: 'utf8mb4',
    connectTimeout: CONNECT_TIMEOUT_MS,
    flags: ['-LOCAL_FILES'],
  });
  // Failures reject the statement that runs; without a listener, one between statements would crash the process.
  connection.on('error', () => {});
  try {
    // Strict: a value that does not fit is an error and not cut. Zero dates stay allowed, as the old service wrote them.
    await query(
      connection,
      `SET SESSION time_zone = '+00:00', net_write_timeout = ${WRITE_TIMEOUT_S}, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
    );
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Reads a table of the old MySQL database from front to back, without holding it in memory. */
export async function openOldAccounts({ url, table, decode }: OldTable): Promise<OldAccounts> {
  const connection = await connectOld(url);
  const from = mysql.escapeId(table);
  try {
    const described = await query(connection, `SHOW FULL COLUMNS FROM ${from}`);
    const keys = described.filter(({ Key }) => Key === 'PRI').map(({ Field }) => String(Field));
    const columns = described.map(({ Field }) => String(Field));
    const raw = described.filter(holdsBytes).map(({ Field }) => String(Field));
    if (decode !== undefined && raw.length === 0)
      throw new Error(
        `--encoding: ${table} has no latin1 or binary column; the old database converts all other columns itself, so omit it`,
      );
    return readTable({
      connection,
      from,
      columns,
      keys,
      ...(decode && { bytes: { columns: new Set(raw), decode } }),
    });
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

interface TableOptions {
  readonly connection: Connection;
  readonly from: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
  readonly bytes?: { readonly columns: ReadonlySet<string>; readonly decode: (bytes: Uint8Array) => string };
}

/** Reports whether a column's bytes may be in another encoding than declared. */
export function holdsBytes({ Collation, Type }: RowDataPacket): boolean {
  return Collation === null ? /^(var)?binary|blob/i.test(String(Type)) : /^latin1/i.test(String(Collation));
}

function readTable({ connection, from, columns, keys, bytes }: TableOptions): OldAccounts {
  const [key = ''] = keys;
  // A key in another encoding than declared cannot be compared.
  const single = keys.length === 1 && !bytes?.columns.has(key) ? key : undefined;
  let read = 0;
  let total = 0;

  async function* rows({ columns: wanted, after, skipped }: WantedRows): AsyncGenerator<OldRow[]> {
    const picked = single === undefined ? wanted : [...wanted, single];
    const list = picked
      .map((name) => mysql.escapeId(name))
      .map((name, index) =>
        bytes?.columns.has(picked[index] ?? '') ? `CAST(${name} AS BINARY) AS ${name}` : name,
      )
      .join(', ');
    const cast = (field: TypeCastField) =>
      bytes?.columns.has(field.name) ? bytes.decode(field.buffer() ?? new Uint8Array()) : asText(field);
    const where = (above: string | undefined, upTo?: string) => {
      const limits = [
        ...(above === undefined ? [] : [`> ${mysql.escape(above)}`]),
        ...(upTo === undefined ? [] : [`<= ${mysql.escape(upTo)}`]),
      ];
      return single === undefined || limits.length === 0
        ? ''
        : ` WHERE ${limits.map((limit) => `${mysql.escapeId(single)} ${limit}`).join(' AND ')}`;
    };
    const counted = skipped === undefined ? where(after) : '';
    read = 0;
    total = Number((await query(connection, `SELECT COUNT(*) AS n FROM ${from}${counted}`))[0]?.n);

    if (single === undefined) {
      const order =
        keys.length === 0 ? '' : ` ORDER BY ${keys.map((name) => mysql.escapeId(name)).join(', ')}`;
      for await (const group of groups(stream(connection, `SELECT ${list} FROM ${from}${order}`, cast)))
        yield group.map((fields) => ({ at: String(++read), fields }));
      return;
    }
    const order = ` ORDER BY ${mysql.escapeId(single)} LIMIT ${PAGE}`;
    async function* pages(above: string | undefined, upTo?: string): AsyncGenerator<OldRow[]> {
      for (let last = above; ; ) {
        const sql = `SELECT ${list} FROM ${from}${where(last, upTo)}${order}`;
        const page = await textRows(connection, sql, cast);
        read += page.length;
        if (page.length > 0)
          yield page.map((values) => ({ at: values.at(-1) ?? '', fields: values.slice(0, -1) }));
        if (page.length < PAGE) return;
        last = page.at(-1)?.at(-1);
      }
    }
    if (skipped && after !== undefined) for await (const page of pages(undefined, after)) skipped(page);
    yield* pages(after);
  }

  return {
    columns,
    place: single ?? 'row',
    resumable: single !== undefined,
    rows,
    fraction: () => (total === 0 ? 0 : Math.min(1, read / total)),
    close: () => connection.destroy(),
  };
}

export function query(
  connection: Connection,
  sql: string,
  values: readonly (string | number | null)[] = [],
): Promise<RowDataPacket[]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(
      { sql, values: [...values], timeout: QUERY_TIMEOUT_MS },
      (error, rows) => (error ? reject(error) : resolve(rows)),
    );
  });
}

function textRows(
  connection: Connection,
  sql: string,
  typeCast: (field: TypeCastField) => string,
): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[][]>(
      { sql, rowsAsArray: true, typeCast, timeout: QUERY_TIMEOUT_MS },
      (error, rows) => (error ? reject(error) : resolve(rows as unknown as string[][])),
    );
  });
}

async function* groups<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function stream(
  connection: Connection,
  sql: string,
  cast: (field: TypeCastField) => string,
): AsyncIterable<string[]> {
  const readable: Readable = connection
    .query({ sql, rowsAsArray: true, typeCast: cast })
    .stream({ highWaterMark: GROUP });
  return readable as AsyncIterable<string[]>;
}

/** Returns every value as text, to be cleaned later. A TIMESTAMP is in the session's time zone, which is UTC. */
function asText(field: TypeCastField): string {
  const text = field.string() ?? '';
  return field.type === 'TIMESTAMP' && text !== '' ? `${text}Z` : text;
}
