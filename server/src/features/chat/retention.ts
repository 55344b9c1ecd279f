import type { Log } from '../../logging/log.ts';
import { periodicJob } from '../../runtime/periodic-job.ts';
import type { ChatStore } from './store.ts';

const INTERVAL_MS = 60_000;
const ROWS_AT_ONCE = 1000;
const MAX_BATCHES = 20;
const DAY_MS = 24 * 3600 * 1000;

interface RetentionParts {
  readonly chat: ChatStore;
  readonly days: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** Deletes old chat in small batches, so that a long-neglected table does not stall the service. */
export function startRetention({ chat, days, log }: RetentionParts): {
  sweep(): Promise<number>;
  close(): void;
} {
  async function sweep(): Promise<number> {
    let total = 0;
    for (let batch = 0; days() > 0 && batch < MAX_BATCHES; batch++) {
      const deleted = await chat.forgetOlderThan(days() * DAY_MS, ROWS_AT_ONCE);
      total += deleted;
      if (deleted < ROWS_AT_ONCE) break;
    }
    return total;
  }
  const job = periodicJob(INTERVAL_MS, sweep, (error) =>
    log.warn({ err: error }, 'old chat could not be deleted'),
  );
  return { sweep, close: job.close };
}
