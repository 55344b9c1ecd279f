import type { Log } from '../../logging/log.ts';
import { type Lease, type LeasedJob, leasedJob } from '../../runtime/leased-job.ts';
import { type EraseParts, eraseAccount } from './erase-account.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 50;
/** Longer than the delay of writing a login, even on an instance that was cut off. */
const LATE_LOGINS_MS = 24 * 3600 * 1000;

export interface EraseJobParts extends EraseParts {
  readonly lease: Lease;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Erases accounts that are due, on one instance at a time. */
export function startEraseJob({ lease, log, ...parts }: EraseJobParts): LeasedJob {
  const { erasure, records } = parts;
  const erase = eraseAccount(parts);

  async function eraseOne(id: number): Promise<void> {
    try {
      if (await erase(id)) log.info({ player_id: id }, 'an account was erased at its owner’s request');
    } catch (error) {
      log.warn({ err: error, player_id: id }, 'an account could not be erased; retrying');
    }
  }

  return leasedJob({
    lease,
    intervalMs: INTERVAL_MS,
    async work(mayGoOn) {
      for (const id of await erasure.due(BATCH_SIZE)) {
        if (!(await mayGoOn())) return;
        await eraseOne(id);
      }
      const lately = await erasure.erasedWithin(LATE_LOGINS_MS);
      while ((await mayGoOn()) && (await records.removeLogins(lately)));
    },
    failed: (error) => log.warn({ err: error }, 'accounts could not be erased; retrying'),
  });
}
