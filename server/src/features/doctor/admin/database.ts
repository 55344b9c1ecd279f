import { existsSync } from 'node:fs';
import type { Db } from '../../../db/open.ts';
import {
  createPasswordHashes,
  type PasswordHashes,
  type StoredPassword,
  storedIn,
} from '../../../security/password-hashes.ts';
import { isSealed } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { SealedSecrets } from '../../sealing/admin/rewrite.ts';
import type { DoctorStore, ServerFacts } from '../store.ts';
import { type Finding, failed, ok, reasonOf, type Tools, warning } from './finding.ts';

const PINGS = 5;
const SLOW_MS = 50;
const SKEW_MS = 2000;
const MAKE_SPACE = 'free space on the disk of the database; the service then continues without a restart';
const MEBIBYTE = 1024 * 1024;

/**
 * Examines the database without changing it. `further` checks run only if all migrations are applied. Inside the service, `own`
 * is its connection and no other is opened.
 */
export async function examineDatabase(
  { url, own }: { url: string; own: Db | undefined },
  { openDatabase, pendingMigrations, storeOf }: Tools,
  further: (db: Db) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!own && url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length)))
    return [
      warning('database', 'does not exist yet', 'create it with: gatehouse migrate (serve does this too)'),
    ];
  let db = own;
  try {
    db ??= await openDatabase(url);
    const unwritable: unknown = await db.checkWrites().catch((error: unknown) => error);
    if (unwritable !== undefined) return [failed('database', reasonOf(unwritable), MAKE_SPACE)];
    const pending = await pendingMigrations(db);
    const found = [...(await engine(db, storeOf(db))), migrations(pending)];
    return pending.length === 0 ? [...found, ...(await further(db))] : found;
  } catch (error) {
    return [failed('database', reasonOf(error), remedyFor(error))];
  } finally {
    if (db !== own) await db?.close();
  }
}

/** Suggests a fix from the driver's error, which is the cause of ours. */
function remedyFor(error: unknown): string {
  const code =
    error instanceof Error && error.cause instanceof Error ? Reflect.get(error.cause, 'code') : undefined;
  if (code === 'ER_ACCESS_DENIED_ERROR')
    return 'the database is running: correct the user and password in database.url';
  if (code === 'ER_DBACCESS_DENIED_ERROR')
    return 'the database is running: GRANT its user privileges on the database in database.url';
  if (code === 'ER_BAD_DB_ERROR')
    return 'the server is running: CREATE DATABASE … CHARACTER SET utf8mb4, or correct the name in database.url';
  return 'start the database, or correct database.url';
}

async function engine(db: Db, doctor: DoctorStore): Promise<Finding[]> {
  const latency = await latencyOf(db);
  if (db.engine === 'sqlite') return [reachable(`SQLite ${await doctor.sqliteVersion()}`, latency)];
  const facts = await doctor.serverFacts();
  return [
    reachable(facts.version, latency),
    await examineClock(doctor.clock),
    examineRights(await doctor.grants()),
    ...examineServer(facts),
  ];
}

function reachable(name: string, latency: number): Finding {
  const detail = `${name}, answers in ${latency.toFixed(1)} ms`;
  if (latency < SLOW_MS) return ok('database', detail);
  return warning('database', detail, 'move the database and the service closer together');
}

function migrations(pending: readonly string[]): Finding {
  if (pending.length === 0) return ok('migrations', 'all applied');
  return warning(
    'migrations',
    `not applied yet: ${pending.join(', ')}`,
    'apply them with: gatehouse migrate (serve does this too)',
  );
}

const WIDE = /^GRANT (?!USAGE ON )(.+) ON \*\.\* TO /;

/** Warns of wide rights: an attacker who breaks into the service has those of its database user. */
export function examineRights(grants: readonly string[]): Finding {
  const wide = grants.flatMap((grant) => WIDE.exec(grant)?.[1] ?? []);
  if (wide.length === 0) return ok('database rights', 'are limited to its own database');
  return warning(
    'database rights',
    `its user has ${wide.join(', ')} on the whole server`,
    'GRANT ALL only on its own database; if another user runs gatehouse migrate, the service needs only SELECT, INSERT, UPDATE and DELETE',
  );
}

/** Examines the server's configuration for what loses data or time, or affects operators' own SQL. */
function examineServer(facts: ServerFacts): Finding[] {
  const size = (bytes: number) => `${Math.ceil(bytes / MEBIBYTE)} MiB`;
  const { flushAtCommit, bufferPoolBytes, dataBytes, strict, characterSet } = facts;
  return [
    flushAtCommit === 1
      ? ok('durability', 'innodb_flush_log_at_trx_commit = 1')
      : warning(
          'durability',
          `innodb_flush_log_at_trx_commit = ${flushAtCommit}: a crash loses writes that were already answered`,
          'set innodb_flush_log_at_trx_commit = 1 in the [mysqld] section and restart the database',
        ),
    bufferPoolBytes >= dataBytes
      ? ok('buffer pool', `${size(bufferPoolBytes)} for ${size(dataBytes)} of data`)
      : warning(
          'buffer pool',
          `${size(bufferPoolBytes)} for ${size(dataBytes)} of data: logins wait for the disk`,
          `set innodb_buffer_pool_size to ${size(dataBytes * 1.5)} or more`,
        ),
    strict
      ? ok('sql_mode', 'strict')
      : warning(
          'sql_mode',
          'is not strict: values in manual SQL can be truncated silently (the service itself is not affected)',
          'set sql_mode = STRICT_TRANS_TABLES in the [mysqld] section',
        ),
    characterSet === 'utf8mb4'
      ? ok('character set', characterSet)
      : warning(
          'character set',
          `${characterSet}: tables created manually in this database cannot hold every character`,
          'run: ALTER DATABASE … CHARACTER SET utf8mb4',
        ),
  ];
}

async function latencyOf(db: Db): Promise<number> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) {
    const started = performance.now();
    await db.ping();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}

/**
 * Compares the clocks: the database clock expires codes, ours expires tokens. Any time between the question and the answer is
 * right, because either may have been late.
 */
export async function examineClock(readClock: () => Promise<number>): Promise<Finding> {
  const asked = Date.now();
  const theirs = await readClock();
  const ours = Math.min(Math.max(theirs, asked), Date.now());
  return judgeSkew(theirs - ours);
}

export function judgeSkew(skewMs: number): Finding {
  const detail = `the database clock is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(skewMs) < SKEW_MS) return ok('clock', detail);
  return warning(
    'clock',
    detail,
    'synchronise both clocks with NTP, for example with: timedatectl set-ntp true',
  );
}

const SEAL_KEY = 'auth.seal_key';

/** Examines how the password hashes in the database are stored. */
export async function examineHashes(
  { auth }: Settings,
  { someHashes }: Pick<DoctorStore, 'someHashes'>,
): Promise<Finding[]> {
  const rows = await someHashes();
  const sealing = examineSealing(createPasswordHashes(auth.seal_key), rows);
  return auth.password_hash === 'argon2id' ? [sealing, examineArgon2(rows)] : [sealing];
}

function examineArgon2(rows: readonly StoredPassword[]): Finding {
  const check = 'auth.password_hash';
  const waiting = rows.filter(({ password_hash }) => password_hash !== '');
  if (waiting.length === 0) return ok(check, 'the passwords are stored as argon2id');
  return warning(
    check,
    `${waiting.length} of ${rows.length} password hashes checked are still md5`,
    'hash them all with: gatehouse player rehash',
  );
}

/** Examines whether the password hashes are sealed and can be opened. */
function examineSealing(hashes: PasswordHashes, rows: readonly StoredPassword[]): Finding {
  const lost = rows.filter((row) => isSealed(storedIn(row)) && hashes.openRow(row) === '');
  if (lost.length > 0)
    return failed(
      SEAL_KEY,
      `cannot decrypt the password hashes of ${lost.length} of ${rows.length} players checked: they cannot log in`,
      'add the key they were sealed with to the list again; it is in the settings file from when they were sealed',
    );
  if (!hashes.sealing)
    return warning(
      SEAL_KEY,
      'is not set: a copy of the database is enough to guess passwords',
      'create one with: openssl rand -base64 48, set it on every instance, keep a copy separate from the backups, then run: gatehouse player seal',
    );
  const waiting = rows.filter((row) => !hashes.isRowCurrent(row));
  if (waiting.length === 0) return ok(SEAL_KEY, 'the password hashes are sealed with it');
  return warning(
    SEAL_KEY,
    `${waiting.length} of ${rows.length} password hashes checked are not sealed with it yet`,
    'seal them all with: gatehouse player seal',
  );
}

/** Judges the secrets outside the player table, which an old `auth.jwt_secret` may have sealed. */
export function judgeSecrets({ total, outdated, unreadable }: SealedSecrets): Finding {
  const check = 'sealed secrets';
  if (unreadable.size > 0)
    return failed(
      check,
      `no key opens ${[...unreadable].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
      'add the auth.jwt_secret or auth.seal_key that sealed them to the end of its list again, then run: gatehouse player reseal',
    );
  if (outdated > 0)
    return warning(
      check,
      `${outdated} of ${total} are sealed with a key that is not the first of its list`,
      'before you drop that key, run: gatehouse player reseal',
    );
  return ok(check, total === 0 ? 'none' : `all ${total} can be opened`);
}

export function examineWithdrawals({ count, since }: { count: number; since: number | null }): Finding {
  if (count === 0) return ok('withdrawals', 'none are waiting for an operator');
  return warning(
    'withdrawals',
    `${count} with an unknown outcome ${count === 1 ? 'is' : 'are'} waiting for an operator, the oldest since ${new Date(since ?? 0).toISOString()}`,
    'list them with: gatehouse withdraw list --state unknown, and settle them as described in docs/withdrawals.md',
  );
}

export function examineWebhooks(parked: readonly { webhookId: number; count: number }[]): Finding {
  const [first] = parked;
  if (!first) return ok('webhooks', 'no delivery is parked');
  const list = parked.map(({ webhookId, count }) => `${count} of webhook ${webhookId}`).join(', ');
  return warning(
    'webhooks',
    `deliveries failed for 24 hours and are no longer tried: ${list}`,
    `see why with: gatehouse webhook deliveries ${first.webhookId} --state parked, mend the receiver, then run: gatehouse webhook replay ${first.webhookId}`,
  );
}
