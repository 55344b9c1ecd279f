import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';

const CHUNK = 100_000;
const DAY_MS = 24 * 3_600_000;
const ZONES = 20;
const PROMOTERS = 100;

/** Rows per player in each table. */
const PER_PLAYER = {
  player: 1,
  player_connect_threeparty: 1,
  withdraw: 1,
  audit: 1,
  chat: 5,
  player_login: 5,
};

export type EngineName = 'sqlite' | 'mysql';

/** Fills tables as on a platform of some years: players over two years, everything else over ninety days. */
export async function fill(engine: EngineName, url: string, players: number): Promise<void> {
  const db = await openDatabase(url);
  try {
    await migrate(db);
    const zones = Array.from({ length: ZONES }, (_, index) => ({
      server_id: index + 1,
      name: `Zone ${index + 1}`,
      address: '127.0.0.1',
      port: 7000 + index,
    }));
    await db.kysely.insertInto('server').values(zones).execute();
    const promoters = Array.from({ length: PROMOTERS }, (_, index) => ({ name: `Promoter ${index + 1}` }));
    await db.kysely.insertInto('agent').values(promoters).execute();
  } finally {
    await db.close();
  }
  const writer = engine === 'sqlite' ? sqliteWriter(url) : await mysqlWriter(url);
  for (const [table, times] of Object.entries(PER_PLAYER)) {
    const rows = players * times;
    const restoreIndexes = await writer.dropIndexes(table);
    for (let first = 1; first <= rows; first += CHUNK)
      await writer.insert(
        statement(engine, table, { first, last: Math.min(rows, first + CHUNK - 1), rows, players }),
      );
    await restoreIndexes();
    console.error(`  ${rows} rows in ${table}`);
  }
  await writer.close();
}

interface Rows {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly players: number;
}

function statement(engine: EngineName, table: string, { first, last, rows, players }: Rows): string {
  const text = (...parts: string[]) =>
    engine === 'sqlite' ? `(${parts.join(' || ')})` : `CONCAT(${parts.join(', ')})`;
  const now = Date.now();
  /** Spreads rows evenly, the newest last. */
  const within = (days: number) => `${now - days * DAY_MS} + (seq * ${Math.floor((days * DAY_MS) / rows)})`;
  const spread = (most: number) => `((seq * 7919) % ${most})`;
  const player = `(1 + ${spread(players)})`;
  const zone = `(1 + ${spread(ZONES)})`;
  const address = text(`'10.'`, spread(200), `'.'`, spread(251), `'.'`, spread(241));
  const columns: Record<string, Record<string, string>> = {
    player: {
      account: text(`'player'`, 'seq'),
      password_hash: `'0123456789abcdef0123456789abcdef'`,
      email: text(`'player'`, 'seq', `'@example.com'`),
      server_id: zone,
      ip: address,
      agent_id: `CASE WHEN seq % 3 = 0 THEN 1 + ${spread(PROMOTERS)} END`,
      status: `CASE WHEN seq % 1000 = 0 THEN 'banned' ELSE 'active' END`,
      created_at: within(730),
      last_login_at: within(730),
      last_login_ip: address,
      last_server_id: zone,
      legacy_seen_at: `CASE WHEN seq % 10 = 0 THEN ${within(90)} END`,
    },
    player_connect_threeparty: {
      connect_id: text(`'forum-'`, 'seq'),
      player_id: 'seq',
      created_at: within(730),
    },
    audit: {
      id: text(`'a-'`, 'seq'),
      at: within(90),
      actor: text(`'operator'`, spread(20)),
      via: `'console'`,
      action: `CASE WHEN seq % 100 = 0 THEN 'player.ban' ELSE 'withdraw.settle' END`,
      subject_kind: `CASE WHEN seq % 100 = 0 THEN 'player' ELSE 'withdrawal' END`,
      subject_id: `CASE WHEN seq % 100 = 0 THEN ${text(player, `''`)} ELSE ${text(`'w-'`, 'seq')} END`,
      server_id: zone,
      reason: `'as the game server says'`,
    },
    withdraw: {
      id: text(`'w-'`, 'seq'),
      player_id: player,
      server_id: zone,
      role_id: 'seq',
      role_name: text(`'Role'`, 'seq'),
      amount: `(1 + ${spread(500)})`,
      state: `CASE WHEN seq % 5000 = 0 THEN 'unknown' WHEN seq % 10 = 0 THEN 'failed' WHEN seq % 7 = 0 THEN 'refused' ELSE 'done' END`,
      created_at: within(90),
      updated_at: within(90),
    },
    chat: {
      server_id: zone,
      account: text(`'player'`, player),
      role: text(`'Role'`, player),
      channel: `CASE WHEN seq % 2 = 0 THEN 'world' ELSE 'guild' END`,
      content: text(`'line '`, 'seq', `' of the chat'`),
      received_at: within(90),
    },
    player_login: {
      player_id: player,
      at: within(90),
      kind: `CASE WHEN seq % 3 = 0 THEN 'enter' WHEN seq % 20 = 1 THEN 'refused' ELSE 'login' END`,
      server_id: `CASE WHEN seq % 3 = 0 THEN ${zone} END`,
      ip: address,
      agent: `'Mozilla/5.0'`,
    },
  };
  const chosen = columns[table] ?? {};
  const insert = `INSERT INTO ${table} (${Object.keys(chosen).join(', ')}) SELECT ${Object.values(chosen).join(', ')}`;
  return engine === 'sqlite'
    ? `WITH RECURSIVE numbers (seq) AS (SELECT ${first} UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ${last}) ${insert} FROM numbers`
    : `${insert} FROM seq_${first}_to_${last}`;
}

function sqliteWriter(url: string) {
  const database = new DatabaseSync(url.slice('sqlite:'.length));
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144');
  return {
    /** Building an index from existing rows costs a fraction of maintaining it row by row. */
    async dropIndexes(table: string) {
      const found = database
        .prepare(
          `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
        )
        .all(table);
      for (const { name } of found) database.exec(`DROP INDEX ${name}`);
      return async () => found.forEach(({ sql }) => void database.exec(String(sql)));
    },
    insert: async (sql: string) => database.exec(sql),
    async close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

async function mysqlWriter(url: string) {
  const connection = await createConnection({ uri: url });
  const query = async <Row>(sql: string, values: string[] = []) =>
    (await connection.query(sql, values))[0] as Row[];
  return {
    async dropIndexes(table: string) {
      const found = await query<{ name: string; isUnique: number; columns: string }>(
        `SELECT index_name AS name, MAX(non_unique) = 0 AS isUnique,
          GROUP_CONCAT(CONCAT('\`', column_name, '\`') ORDER BY seq_in_index) AS columns
        FROM information_schema.statistics
        WHERE table_schema = DATABASE() AND table_name = ? AND index_name <> 'PRIMARY' GROUP BY index_name`,
        [table],
      );
      const alter = (changes: string[]) => query(`ALTER TABLE ${table} ${changes.join(', ')}`);
      await alter(found.map(({ name }) => `DROP INDEX \`${name}\``));
      return () =>
        alter(
          found.map(
            ({ name, isUnique, columns }) => `ADD ${isUnique ? 'UNIQUE ' : ''}INDEX \`${name}\` (${columns})`,
          ),
        );
    },
    insert: async (sql: string) => void (await query(sql)),
    async close() {
      await query(`ANALYZE TABLE ${Object.keys(PER_PLAYER).join(', ')}`);
      await connection.end();
    },
  };
}
