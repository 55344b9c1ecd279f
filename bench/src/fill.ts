import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '@gatehouse/server/db/migrate';
import { openDatabase } from '@gatehouse/server/db/open';
import { openSealing } from '@gatehouse/server/features/sealing/admin/module';
import { createKeyedHash } from '@gatehouse/server/security/keyed-hash';
import { parseSettings } from '@gatehouse/server/settings/load';
import { type Connection, createConnection } from 'mysql2/promise';
import { stringify } from 'smol-toml';
import { runCli, type SettingsTable } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { emailOf, hashOf, JWT_SECRET, PASSWORD_KEY, SEAL_KEY, ZONES } from './test-data.ts';

/** Code of every prepared registration, and how many of them there are. */
export const CODE = '246810';
export const NEWCOMERS = 100_000;
const CHUNK = 100_000;
const FAR_FUTURE = 32_503_680_000_000; // the year 3000

/** E-mail addresses of people who are about to register. */
export const newcomerEmail = (index: number) => `newcomer${index}@example.com`;

const codeHash = createKeyedHash([JWT_SECRET], 'verification code');

function* codes(): Generator<[email: string, hash: string]> {
  for (let index = 1; index <= NEWCOMERS; index++) {
    const email = newcomerEmail(index);
    yield [email, codeHash(email, CODE)];
  }
}

/** Makes the service's own tables; rows are then written past it, as fast as the engine takes them. */
async function makeTables(url: string, players: number, checkout?: string): Promise<void> {
  const auth = { password_key: PASSWORD_KEY, jwt_secret: JWT_SECRET };
  if (checkout !== undefined) await migrateBy(checkout, { auth, database: { url } });
  const db = await openDatabase(url);
  const { time_zone } = parseSettings({ auth });
  try {
    if (checkout === undefined) await migrate(db);
    await db.kysely.insertInto('server').values(ZONES).execute();
    // Else the service would sum their registrations up for as long as the load lasts.
    const summed = { source: 'player', position: players, time_zone };
    await db.kysely.insertInto('stat_cursor').values(summed).execute();
  } finally {
    await db.close();
  }
}

async function migrateBy(checkout: string, settings: SettingsTable): Promise<void> {
  const config = join(tempDir('migrate'), 'gatehouse.toml');
  writeFileSync(config, stringify(settings));
  const { code, stderr } = await runCli(['migrate'], { config, checkout });
  if (code !== 0) throw new Error(`${checkout} made no tables: ${stderr}`);
}

/** The tables are made by the given checkout, or by this one. */
export async function fillSqlite(file: string, players: number, checkout?: string): Promise<void> {
  await makeTables(`sqlite:${file}`, players, checkout);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN');
  const addPlayer = database.prepare('INSERT INTO player (account, password_hash, email) VALUES (?, ?, ?)');
  for (let id = 1; id <= players; id++) {
    const email = emailOf(id);
    addPlayer.run(email.slice(0, email.indexOf('@')), hashOf(id), email);
  }
  database.exec(
    `INSERT INTO player_connect_threeparty (connect_id, player_id) SELECT 'forum-' || id, id FROM player`,
  );
  const addCode = database.prepare('INSERT INTO verify (email, code_hash, expires_at) VALUES (?, ?, ?)');
  for (const [email, hash] of codes()) addCode.run(email, hash, FAR_FUTURE);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize');
  database.close();
}

/** The same rows, made by MariaDB itself out of a sequence. */
export async function fillMariadb(url: string, players: number, checkout?: string): Promise<void> {
  await makeTables(url, players, checkout);
  const connection = await createConnection({ uri: url });
  const account = `CONCAT('player', LPAD(seq, 8, '0'))`;
  const password = `MD5(CONCAT('password-', seq, '${PASSWORD_KEY}'))`;
  await inChunks(connection, players, (rows) => [
    // Ids that the engine counts itself have gaps between one chunk and the next.
    `INSERT INTO player (id, account, password_hash, email) SELECT seq, ${account}, ${password}, CONCAT(${account}, '@example.com') FROM ${rows}`,
    `INSERT INTO player_connect_threeparty (connect_id, player_id) SELECT CONCAT('forum-', seq), seq FROM ${rows}`,
  ]);
  const all = [...codes()].map(([email, hash]) => [email, hash, FAR_FUTURE]);
  for (let start = 0; start < all.length; start += 5000)
    await connection.query('INSERT INTO verify (email, code_hash, expires_at) VALUES ?', [
      all.slice(start, start + 5000),
    ]);
  await connection.query('ANALYZE TABLE player, player_connect_threeparty');
  await connection.end();
}

/** As `gatehouse player seal` leaves it. */
export async function sealAll(url: string): Promise<void> {
  const auth = { password_key: PASSWORD_KEY, jwt_secret: JWT_SECRET, seal_key: SEAL_KEY };
  const db = await openDatabase(url);
  const tally = { read: 0, changed: 0, unreadable: 0, fraction: 0 };
  try {
    const { seal } = openSealing({ db, settings: parseSettings({ auth }) });
    await seal({ name: 'bench', via: 'cli' }, { stopping: () => false, tally });
  } finally {
    await db.close();
  }
}

/** The same people in the tables of better-auth, which it has made itself. */
export async function fillBetterAuth(url: string, players: number): Promise<void> {
  const connection = await createConnection({ uri: url });
  const account = `CONCAT('player', LPAD(seq, 8, '0'))`;
  const password = `MD5(CONCAT('password-', seq, '${PASSWORD_KEY}'))`;
  const stamps = '`createdAt`, `updatedAt`';
  await inChunks(connection, players, (rows) => [
    `INSERT INTO \`user\` (id, name, email, \`emailVerified\`, ${stamps}) SELECT CONCAT('u', seq), ${account}, CONCAT(${account}, '@example.com'), 1, NOW(3), NOW(3) FROM ${rows}`,
    `INSERT INTO account (id, \`accountId\`, \`providerId\`, \`userId\`, password, ${stamps}) SELECT CONCAT('a', seq), CONCAT('u', seq), 'credential', CONCAT('u', seq), ${password}, NOW(3), NOW(3) FROM ${rows}`,
  ]);
  await connection.query('ANALYZE TABLE `user`, account');
  await connection.end();
}

async function inChunks(
  connection: Connection,
  players: number,
  statements: (rows: string) => string[],
): Promise<void> {
  for (let first = 1; first <= players; first += CHUNK) {
    const rows = `seq_${first}_to_${Math.min(players, first + CHUNK - 1)}`;
    for (const statement of statements(rows)) await connection.query(statement);
  }
}
