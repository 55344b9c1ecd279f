import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../logging/log.ts';
import { busyMeter, type Job, startJob } from '../runtime/job.ts';
import { jobLease } from './job-lease.ts';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

/** Deletes old rows of one table. */
export interface Sweep {
  /** Names the deleted rows in the log. */
  readonly name: string;
  /** Deletes up to `limit` due rows, oldest first. Returns their number. */
  readonly deleteOldest: (limit: number) => Promise<number>;
}

const INTERVAL_MS = 60_000;
const LEASE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
/** On SQLite a row of `player_login` is in four indexes, so a batch this small still writes a hundred pages. */
const MIN_BATCH = 20;
const MAX_BATCH = 1000;
/** Halve the next batch if one took longer: on SQLite every request waits for it. */
const SLOW_BATCH_MS = 15;
const FAST_BATCH_MS = 5;
/** Pause after a batch, as a multiple of its duration. */
const PAUSE = 3;
const BUSY_PAUSE = 10;

interface OldRows<T extends keyof Database> {
  readonly table: T;
  /** Its primary key. */
  readonly key: readonly (keyof Database[T] & string)[];
  /** An indexed column; rows with a value below `before` are due. */
  readonly column: keyof Database[T] & string;
  readonly before: RawBuilder<number> | string;
  /** An additional condition, if a partial index needs it. */
  readonly only?: RawBuilder<unknown>;
  readonly limit: number;
}

/** Deletes up to `limit` old rows by an index, oldest first. Returns their number. */
export async function deleteOldest<T extends keyof Database>(
  { engine, kysely }: Db,
  { table, key, column, before, only = sql`1 = 1`, limit }: OldRows<T>,
): Promise<number> {
  const by = sql.ref(column);
  const due = sql`from ${sql.table(table)} where ${only} and ${by} < ${before} order by ${by} limit ${limit}`;
  const ids = sql.join(key.map((each) => sql.ref(each)));
  const statement =
    engine === 'mysql'
      ? sql`delete ${due}`
      : sql`delete from ${sql.table(table)} where (${ids}) in (select ${ids} ${due})`;
  const deleted = Number((await statement.execute(kysely)).numAffectedRows ?? 0);
  // Otherwise a later write copies the pages of many batches into the file at once, for 40 ms and more.
  if (engine === 'sqlite' && deleted > 0) await sql`PRAGMA wal_checkpoint(PASSIVE)`.execute(kysely);
  return deleted;
}

/** Returns a function that deletes rows whose time in `column` is more than `ageMs` ago. */
export function sweepOlder<T extends keyof Database>(
  db: Db,
  table: T,
  key: OldRows<T>['key'],
  column: OldRows<T>['column'],
) {
  return (ageMs: number, limit: number): Promise<number> =>
    deleteOldest(db, { table, key, column, before: sql`${db.now} - ${ageMs}`, limit });
}

/** Returns a function that deletes rows `keptMs` after the time in `column`. */
export function sweepExpired<T extends keyof Database>(
  db: Db,
  table: T,
  key: OldRows<T>['key'],
  column: OldRows<T>['column'],
  keptMs = 0,
) {
  const sweep = sweepOlder(db, table, key, column);
  return (limit: number): Promise<number> => sweep(keptMs, limit);
}

/** Creates a sweep of rows older than a number of days; 0 keeps everything. */
export function retention(
  name: string,
  days: () => number,
  deleteOlderThan: (ageMs: number, limit: number) => Promise<number>,
): Sweep {
  return {
    name,
    deleteOldest: async (limit) => (days() > 0 ? deleteOlderThan(days() * DAY_MS, limit) : 0),
  };
}

interface DeleteOptions {
  /** Called before every batch. */
  readonly mayGoOn?: () => Promise<boolean>;
  readonly failed?: (sweep: Sweep, error: unknown) => void;
}

/**
 * Deletes all due rows in batches of a few milliseconds. The pauses in between are longer while requests keep the process busy.
 * Tables alternate, so that one with millions of old rows does not delay the others.
 */
export async function deleteInBatches(
  sweeps: readonly Sweep[],
  { mayGoOn = async () => true, failed = rethrow }: DeleteOptions = {},
): Promise<number> {
  const wasBusy = busyMeter();
  let remaining = sweeps.map((sweep) => ({ sweep, limit: MIN_BATCH }));
  let total = 0;

  /** Returns whether there may be more. */
  async function deleteBatch(each: (typeof remaining)[number]): Promise<boolean> {
    const started = performance.now();
    const deleted = await each.sweep.deleteOldest(each.limit);
    total += deleted;
    if (deleted < each.limit) return false;
    const ms = performance.now() - started;
    if (ms > SLOW_BATCH_MS) each.limit = Math.max(MIN_BATCH, each.limit >> 1);
    else if (ms < FAST_BATCH_MS) each.limit = Math.min(MAX_BATCH, each.limit * 2);
    await sleep(ms * (wasBusy() ? BUSY_PAUSE : PAUSE));
    return true;
  }

  while (remaining.length > 0) {
    const unfinished: typeof remaining = [];
    for (const each of remaining) {
      if (!(await mayGoOn())) return total;
      try {
        if (await deleteBatch(each)) unfinished.push(each);
      } catch (error) {
        failed(each.sweep, error);
      }
    }
    remaining = unfinished;
  }
  return total;
}

function rethrow(_: Sweep, error: unknown): never {
  throw error;
}

/** Deletes old rows every minute, on one instance at a time. */
export function startSweepJob(
  db: Db,
  sweeps: readonly Sweep[],
  { log, succeeded }: { log: Pick<Log, 'warn'>; succeeded?: () => void },
): Job {
  const failed = (sweep: Sweep, err: unknown) => log.warn({ err }, `${sweep.name} could not be deleted`);
  return startJob({
    lease: jobLease(db, 'sweep', LEASE_MS),
    intervalMs: INTERVAL_MS,
    // Do not slow down the start.
    firstAfterMs: INTERVAL_MS,
    succeeded,
    work: async (mayGoOn) => void (await deleteInBatches(sweeps, { mayGoOn, failed })),
    failed: (err) => log.warn({ err }, 'old rows could not be deleted'),
  });
}
