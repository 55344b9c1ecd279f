import { randomUUID } from 'node:crypto';
import type { Lease } from '../runtime/job.ts';
import type { Db } from './open.ts';
import { changedOne, insertedNew } from './unchanged.ts';

/**
 * A lease for a job that only one instance runs: its row is taken by a conditional update, and expires unless renewed. A
 * suspended process may still believe in an expired lease, so the correctness of the job's writes must not depend on it.
 */
export function jobLease({ kysely, now }: Db, job: string, leaseMs: number): Lease {
  const owner = randomUUID();
  let heldUntil = 0;

  async function take(): Promise<boolean> {
    return kysely
      .updateTable('job_lease')
      .set(({ eb }) => ({ owner, expires_at: eb(now, '+', leaseMs) }))
      .where('job', '=', job)
      .where(({ eb, or }) => or([eb('owner', '=', owner), eb('expires_at', '<', now)]))
      .$call(changedOne);
  }

  return {
    async hold() {
      const begun = performance.now();
      if (heldUntil - begun > leaseMs / 2) return true;
      const known = await kysely
        .selectFrom('job_lease')
        .select('job')
        .where('job', '=', job)
        .executeTakeFirst();
      if (!known) await insertedNew(kysely.insertInto('job_lease').values({ job }));
      const taken = await take();
      heldUntil = taken ? begun + leaseMs : 0;
      return taken;
    },
    async release() {
      if (heldUntil === 0) return;
      heldUntil = 0;
      await kysely
        .updateTable('job_lease')
        .set({ expires_at: 0 })
        .where('job', '=', job)
        .where('owner', '=', owner)
        .execute();
    },
  };
}
