import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { bulkhead, type IPolicy } from 'cockatiel';
import type { RowDataPacket } from 'mysql2';
import { keyedConcurrency } from '../runtime/concurrency.ts';
import { accountKey } from '../security/account-key.ts';
import type { Settings } from '../settings/schema.ts';
import { parseMysqlServer } from '../urls/mysql-url.ts';
import { mysqlTls } from '../urls/tls.ts';
import { type AllowedHosts, allowedHosts } from './allowed-hosts.ts';

export interface GameRole {
  readonly roleId: number;
  readonly name: string;
  readonly level: number;
  readonly balance: number;
  /** Undefined if the game does not report it. */
  readonly online: boolean | undefined;
}

export interface GameDatabase {
  /** Returns the roles of exactly this account. */
  rolesOf(account: string): Promise<GameRole[]>;
  roleById(roleId: number): Promise<GameRole | undefined>;
  /** Searches all accounts: for operators, never for players. */
  rolesNamed(name: string): Promise<GameRole[]>;
}

interface Query {
  readonly sql: string;
  readonly values: readonly (string | bigint)[];
}
type Row = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 3000;
/**
 * Ends a statement after the timeout. MariaDB and MySQL have different names for it, and each executes only one of the comments.
 */
const END_SLOW_STATEMENTS = `SET SESSION sql_auto_is_null = 0 /*M!100101 , max_statement_time = ${TIMEOUT_MS / 1000} */ /*!50708 , max_execution_time = ${TIMEOUT_MS} */`;
const MAX_CONNECTIONS = 8;
const MAX_WAITING = 500;
/** One account must not block the others from a slow game database. */
const MAX_PER_ACCOUNT = 2;
const MAX_ROLES = 200;
/** Far more than the roles of an answer take. Needed because the server of a zone may not be trusted. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The game databases of all zones: a short-lived, read-only connection per query, of which a limited number is open at a time. */
export function gameDatabases(settings: Settings['zones']) {
  const { database_url, database_name, table, columns, allowed_hosts } = settings;
  const hosts = allowedHosts(allowed_hosts);
  const bulkheads = new Map<string, IPolicy>();
  const perAccount = keyedConcurrency(MAX_PER_ACCOUNT);
  const { role_id, role_name, account: owner, level, balance, online } = columns;
  // Settings allow only plain SQL names; both engines accept the backquotes.
  const quoted = (name: string) => `\`${name}\``;
  const select = `SELECT ${[
    [role_id, 'role_id'],
    [role_name, 'name'],
    [owner, 'account'],
    [level, 'level'],
    [balance, 'balance'],
    ...(online === undefined ? [] : [[online, 'online'] as const]),
  ]
    .map(([column = '', alias = '']) => `${quoted(column)} AS ${quoted(alias)}`)
    .join(', ')} FROM ${quoted(table)}`;

  return ({ serverId, databaseUrl }: { serverId: number; databaseUrl: string | null }): GameDatabase => {
    const url = databaseUrl || database_url;
    const name = database_name.replaceAll('{server_id}', String(serverId));

    async function read(query: Query, account?: string): Promise<readonly Row[]> {
      if (!url) throw new Error(`zone ${serverId} has no game database: set zones.database_url`);
      const limit = bulkheads.get(url) ?? bulkhead(MAX_CONNECTIONS, MAX_WAITING);
      bulkheads.set(url, limit);
      const deadline = AbortSignal.timeout(TIMEOUT_MS);
      const late = rejectsAt(deadline);
      // The timeout includes the wait in the queue, and a connection that does not answer frees its place.
      const run = () =>
        limit.execute(() =>
          Promise.race([
            readFrom({ url, name, hosts: databaseUrl ? hosts : undefined }, query, deadline),
            late,
          ]),
        );
      return Promise.race([account === undefined ? run() : perAccount(account, run), late]);
    }

    return {
      async rolesOf(account) {
        const key = accountKey(account);
        // The game's collation may be looser (accents) or stricter (case) than our comparison, so compare again.
        const sql = `${select} WHERE ${quoted(owner)} IN (?, ?) ORDER BY ${quoted(role_id)} LIMIT ${MAX_ROLES}`;
        const rows = await read({ sql, values: [account, key] }, key);
        return rows.filter((row) => accountKey(text(row.account)) === key).map(toRole);
      },
      async roleById(roleId) {
        const sql = `${select} WHERE ${quoted(role_id)} = ? LIMIT 1`;
        const [row] = await read({ sql, values: [BigInt(roleId)] });
        return row && toRole(row);
      },
      async rolesNamed(name) {
        const sql = `${select} WHERE ${quoted(role_name)} = ? LIMIT ${MAX_ROLES}`;
        const rows = await read({ sql, values: [name] });
        return rows.map(toRole).filter((role) => role.name === name);
      },
    };
  };
}

function rejectsAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const tooLate = new Error(`the game database did not answer within ${TIMEOUT_MS / 1000} s`);
    deadline.addEventListener('abort', () => reject(tooLate));
  });
}

interface Location {
  readonly url: string;
  readonly name: string;
  /** Undefined for the settings' own server, which is not subject to the list. */
  readonly hosts: AllowedHosts | undefined;
}

async function readFrom(location: Location, query: Query, deadline: AbortSignal): Promise<readonly Row[]> {
  deadline.throwIfAborted();
  const { url, name } = location;
  return url.startsWith('sqlite:')
    ? readSqlite(join(url.slice('sqlite:'.length), `${name}.db`), query)
    : readMysql(location, query, deadline);
}

async function readSqlite(file: string, { sql, values }: Query): Promise<readonly Row[]> {
  if (!existsSync(file)) throw new Error(`there is no game database ${file}`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 500 });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

async function readMysql(
  { url, name, hosts: allowed }: Location,
  { sql, values }: Query,
  deadline: AbortSignal,
): Promise<readonly Row[]> {
  // Imported on demand, only by those with such a game database.
  const { default: mysql } = await import('mysql2');
  deadline.throwIfAborted();
  const target = parseMysqlServer(url);
  if (target === undefined) throw new Error('the URL of the game database is not valid');
  const { hosts, user, password, tls } = target;
  allowed?.refuseAddress(hosts[0].host);
  const socket = connect({ ...hosts[0], noDelay: true, ...(allowed && { lookup: allowed.lookup }) });
  const connection = mysql.createConnection({
    ...hosts[0],
    ...mysqlTls(tls, hosts[0]),
    stream: () => socket,
    user,
    password,
    database: name,
    connectTimeout: TIMEOUT_MS,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    // For its default of 16,000 the driver allocates half a megabyte per connection.
    maxPreparedStatements: 1,
    flags: ['-LOCAL_FILES'],
  });
  connection.on('error', () => {});
  limitBytes(socket, () => Reflect.get(connection, 'stream'));
  deadline.addEventListener('abort', () => socket.destroy());
  try {
    const session = connection.promise();
    await session.query('SET SESSION TRANSACTION READ ONLY');
    await session.query(END_SLOW_STATEMENTS);
    const typed = values.map((value) =>
      typeof value === 'bigint' ? mysql.TypedParameter.BIGINT(value) : value,
    );
    const [rows] = await session.execute<RowDataPacket[]>(sql, typed);
    return rows;
  } finally {
    connection.destroy();
    // The driver only ends its own side; without this, data that the server keeps sending would still be read.
    socket.destroy();
  }
}

/** Destroys the socket if it receives too much. `current` returns the stream that the driver reads from, which TLS replaces. */
function limitBytes(socket: Socket, current: () => Readable): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) socket.destroy(new Error('the game database sent too much'));
  };
  socket.on('data', count);
  // When TLS begins, the driver removes every listener and continues with a new stream.
  socket.on('removeListener', (_event, listener) => {
    if (listener === count) process.nextTick(() => current().on('data', count));
  });
}

function toRole(row: Row): GameRole {
  return {
    roleId: whole(row.role_id),
    name: text(row.name),
    // A game may leave these NULL until there is a value.
    level: whole(row.level ?? 0),
    balance: whole(row.balance ?? 0),
    online: row.online === undefined ? undefined : whole(row.online) !== 0,
  };
}

/** Some games store names as bytes. */
const text = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);

/** Never rounds: an inexact number must not be used for money. */
function whole(value: unknown): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new Error('the game database holds a value that is not a whole number');
  return number;
}
