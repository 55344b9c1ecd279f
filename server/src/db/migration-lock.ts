import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startJob } from '../runtime/job.ts';
import { DEFINITION_TIMEOUT_MS } from './ddl.ts';
import type { Db } from './open.ts';
import { changedOne, insertedNew } from './unchanged.ts';

const leaseMs = 15_000;
const pollMs = 100;
/** Longer than one definition, because a migration may have several. */
export const MIGRATION_TIMEOUT_MS = 3 * DEFINITION_TIMEOUT_MS;

/**
 * Runs work under a lock: one row with a lease, taken by a conditional update. Unlike GET_LOCK it holds across all nodes of a
 * cluster, and it expires if its owner crashes.
 */
export async function withMigrationLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  await ensureLockRow(db);
  await takeLock(db, owner);
  const renewal = startJob({
    intervalMs: leaseMs / 3,
    firstAfterMs: leaseMs / 3,
    work: () => renewLock(db, owner).catch(() => {}),
  });
  try {
    return await work();
  } finally {
    await renewal.close();
    // If this fails, the lease expires; the outcome of the work matters more.
    await releaseLock(db, owner).catch(() => {});
  }
}

async function ensureLockRow({ kysely }: Db): Promise<void> {
  await insertedNew(kysely.insertInto('migration_lock').values({ id: 1 }));
}

async function takeLock(db: Db, owner: string): Promise<void> {
  const deadline = performance.now() + MIGRATION_TIMEOUT_MS;
  while (!(await tryLock(db, owner))) {
    if (performance.now() > deadline)
      throw new Error('another instance has been migrating the database for too long');
    await sleep(pollMs + Math.random() * pollMs);
  }
}

async function tryLock({ kysely, now }: Db, owner: string): Promise<boolean> {
  return kysely
    .updateTable('migration_lock')
    .set({ owner, expires_at: sql<number>`${now} + ${leaseMs}` })
    .where('id', '=', 1)
    .where((row) => row.or([row('owner', 'is', null), row('expires_at', '<', now)]))
    .$call(changedOne);
}

async function renewLock({ kysely, now }: Db, owner: string): Promise<void> {
  await kysely
    .updateTable('migration_lock')
    .set({ expires_at: sql<number>`${now} + ${leaseMs}` })
    .where('owner', '=', owner)
    .execute();
}

async function releaseLock({ kysely }: Db, owner: string): Promise<void> {
  await kysely.updateTable('migration_lock').set({ owner: null }).where('owner', '=', owner).execute();
}
