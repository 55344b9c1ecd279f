import type { JobLease } from '../../db/job-lease.ts';
import type { Log } from '../../logging/log.ts';
import { pollLoop } from '../../runtime/poll-loop.ts';
import { type EraseParts, eraseAccount } from './erase-account.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 50;
/** Longer than a login can wait to be written, on an instance that was cut off too. */
const LATE_LOGINS_MS = 24 * 3600 * 1000;

export interface EraseJobParts extends EraseParts {
  readonly lease: JobLease;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface EraseJob {
  /** One round more, beside those that the job makes by itself. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Erases accounts whose time has come, on one instance at a time. */
export function startEraseJob({ lease, log, ...parts }: EraseJobParts): EraseJob {
  const { erasure, records } = parts;
  const erase = eraseAccount(parts);
  let closed = false;
  let running = Promise.resolve();

  async function eraseOne(id: number): Promise<void> {
    try {
      if (await erase(id)) log.info({ player_id: id }, 'an account was erased, as its owner had asked');
    } catch (error) {
      log.warn({ err: error, player_id: id }, 'an account could not be erased; it is tried again');
    }
  }

  async function round(): Promise<void> {
    try {
      if (!(await lease.hold())) return;
      for (const id of await erasure.due(BATCH_SIZE)) {
        if (closed || !(await lease.hold())) return;
        await eraseOne(id);
      }
      const lately = await erasure.erasedWithin(LATE_LOGINS_MS);
      while (!closed && (await records.removeLogins(lately)));
    } catch (error) {
      log.warn({ err: error }, 'accounts could not be erased; it is tried again');
    }
  }

  const run = () => {
    running = running.then(round);
    return running;
  };
  const polling = pollLoop(INTERVAL_MS, run);
  return {
    run,
    async close() {
      closed = true;
      await polling.close();
      await running;
      await lease.release().catch(() => {});
    },
  };
}
