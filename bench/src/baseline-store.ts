import { DatabaseSync } from 'node:sqlite';
import { createPool as createMariadbPool } from 'mariadb';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';

interface Row {
  readonly id: number;
  readonly account: string;
  readonly password_hash: string;
  readonly token_version: number;
}

type Value = string | number;

/** The baseline's statements, prepared and sent directly by a driver. */
export interface BaselineStore {
  byAccount(account: string): Promise<Row | undefined> | Row | undefined;
  byId(id: number): Promise<Row | undefined> | Row | undefined;
  bindings(playerId: number): Promise<unknown[]> | unknown[];
  /** Durable when it returns, like `chat`. */
  enter(id: number, serverId: number, address: string): Promise<unknown> | unknown;
  chat(serverId: number, role: string, content: string): Promise<unknown> | unknown;
  /** Consumes a code and inserts the player in one transaction; false if there is no such code. */
  register(account: string, hash: string, email: string): Promise<boolean> | boolean;
}

const COLUMNS = 'id, account, password_hash, token_version, status, server_id, last_server_id';
const BY_ACCOUNT = `SELECT ${COLUMNS} FROM player WHERE account_key = ?`;
const BY_ID = `SELECT ${COLUMNS} FROM player WHERE id = ?`;
const BINDINGS = 'SELECT provider, connect_id, created_at FROM player_connect_threeparty WHERE player_id = ?';
const ENTER =
  'UPDATE player SET last_login_at = ?, last_login_ip = ?, last_server_id = ?, login_count = login_count + 1 WHERE id = ?';
const CODE = 'UPDATE verify SET used_at = 1 WHERE email = ? AND used_at IS NULL';
const PLAYER = 'INSERT INTO player (account, password_hash, email, email_key) VALUES (?, ?, ?, ?)';
const CHAT = 'INSERT INTO chat (server_id, role, content) VALUES (?, ?, ?)';

export function openBaselineStore(url: string): BaselineStore {
  if (url.startsWith('sqlite:')) return sqliteStore(url.slice('sqlite:'.length));
  return url.startsWith('mariadb:') ? pipelinedStore(url) : mysqlStore(url);
}

function sqliteStore(file: string): BaselineStore {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('PRAGMA mmap_size = 268435456; PRAGMA cache_size = -65536');
  const byAccount = database.prepare(BY_ACCOUNT);
  const byId = database.prepare(BY_ID);
  const bindings = database.prepare(BINDINGS);
  const enter = database.prepare(ENTER);
  const chat = database.prepare(CHAT);
  const code = database.prepare(CODE);
  const player = database.prepare(PLAYER);
  return {
    byAccount: (account) => byAccount.get(account) as unknown as Row | undefined,
    byId: (id) => byId.get(id) as unknown as Row | undefined,
    bindings: (playerId) => bindings.all(playerId),
    enter: (id, serverId, address) => enter.run(Date.now(), address, serverId, id),
    chat: (serverId, role, content) => chat.run(serverId, role, content),
    register(account, hash, email) {
      database.exec('BEGIN IMMEDIATE');
      const { changes } = code.run(email);
      if (changes === 1) player.run(account, hash, email, email);
      database.exec('COMMIT');
      return changes === 1;
    },
  };
}

function mysqlStore(uri: string): BaselineStore {
  const pool = createPool({ uri, connectionLimit: 32 });
  async function register(account: string, hash: string, email: string): Promise<boolean> {
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    const [{ affectedRows }] = await connection.execute<ResultSetHeader>(CODE, [email]);
    if (affectedRows === 1) await connection.execute(PLAYER, [account, hash, email, email]);
    await connection.commit();
    connection.release();
    return affectedRows === 1;
  }
  return {
    ...singleStatements(async (sql, values) => (await pool.execute<RowDataPacket[]>(sql, values))[0]),
    register,
  };
}

/** Uses MariaDB's own connector, which pipelines requests. */
function pipelinedStore(url: string): BaselineStore {
  const { username, password, hostname, port, pathname } = new URL(url);
  const pool = createMariadbPool({
    user: username,
    password,
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    connectionLimit: 4,
    bigIntAsNumber: true,
  });
  const connections = Promise.all(Array.from({ length: 4 }, () => pool.getConnection()));
  let turn = 0;
  const ask = async (sql: string, values: Value[]) => {
    const all = await connections;
    turn = (turn + 1) % all.length;
    return all[turn]?.execute(sql, values);
  };
  // A transaction cannot be pipelined among other statements.
  return { ...singleStatements(ask), register: () => false };
}

function singleStatements(
  ask: (sql: string, values: Value[]) => Promise<unknown>,
): Omit<BaselineStore, 'register'> {
  const rows = async (sql: string, values: Value[]) => (await ask(sql, values)) as Row[];
  return {
    byAccount: async (account) => (await rows(BY_ACCOUNT, [account]))[0],
    byId: async (id) => (await rows(BY_ID, [id]))[0],
    bindings: (playerId) => rows(BINDINGS, [playerId]),
    enter: (id, serverId, address) => ask(ENTER, [Date.now(), address, serverId, id]),
    chat: (serverId, role, content) => ask(CHAT, [serverId, role, content]),
  };
}
