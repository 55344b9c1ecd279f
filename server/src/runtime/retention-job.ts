import { periodicJob } from './periodic-job.ts';

const INTERVAL_MS = 60_000;
const ROWS_AT_ONCE = 1000;
const MAX_BATCHES = 20;
const DAY_MS = 24 * 3600 * 1000;

interface RetentionParts {
  /** Deletes at most so many rows that are older than that; answers how many there were. */
  readonly forgetOlderThan: (ageMs: number, most: number) => Promise<number>;
  /** 0: everything is kept. */
  readonly days: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RetentionJob {
  sweep(): Promise<number>;
  close(): void;
}

/** Deletes old rows in small batches, so that a long-neglected table does not stall the service. */
export function startRetentionJob({ forgetOlderThan, days, onError }: RetentionParts): RetentionJob {
  async function sweep(): Promise<number> {
    let total = 0;
    for (let batch = 0; days() > 0 && batch < MAX_BATCHES; batch++) {
      const deleted = await forgetOlderThan(days() * DAY_MS, ROWS_AT_ONCE);
      total += deleted;
      if (deleted < ROWS_AT_ONCE) break;
    }
    return total;
  }
  return { sweep, close: periodicJob(INTERVAL_MS, sweep, onError).close };
}
