import { periodicJob } from './periodic-job.ts';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 1000;
const MAX_BATCHES = 20;
const DAY_MS = 24 * 3600 * 1000;

interface RetentionParts {
  /** Deletes up to `limit` rows older than `ageMs`; returns how many. */
  readonly deleteOlderThan: (ageMs: number, limit: number) => Promise<number>;
  /** 0: everything is kept. */
  readonly days: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RetentionJob {
  sweep(): Promise<number>;
  close(): void;
}

/** Deletes old rows in small batches, so that a long-neglected table does not stall the service. */
export function startRetentionJob({ deleteOlderThan, days, onError }: RetentionParts): RetentionJob {
  async function sweep(): Promise<number> {
    let total = 0;
    for (let batch = 0; days() > 0 && batch < MAX_BATCHES; batch++) {
      const deleted = await deleteOlderThan(days() * DAY_MS, BATCH_SIZE);
      total += deleted;
      if (deleted < BATCH_SIZE) break;
    }
    return total;
  }
  return { sweep, close: periodicJob(INTERVAL_MS, sweep, onError).close };
}
