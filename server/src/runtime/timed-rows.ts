import type { Log } from '../logging/log.ts';
import { startJob } from './job.ts';
import { withTimeout } from './with-timeout.ts';

/** In force from `from`, inclusive, until `until`, exclusive. Null means unbounded. */
export interface Timed {
  readonly from?: number | null;
  readonly until: number | null;
}

export interface TimedRowsOptions<Row extends Timed> {
  /** Returns all rows that have not ended, and the time on the authoritative clock. */
  readonly read: () => Promise<{ readonly now: number; readonly rows: readonly Row[] }>;
  /** Called with the rows in force at the start and after each change. */
  readonly apply: (inForce: readonly Row[]) => void;
  readonly intervalMs: number;
  /** Names the rows in the log. */
  readonly name: string;
  readonly log: Pick<Log, 'warn'>;
}

export interface TimedRows {
  /** Reads the rows now instead of at the next poll. A failure is logged and does not reject. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const READ_TIMEOUT_MS = 2000;

/**
 * Keeps rows in memory that start and end at set times. Uses the clock of the source, which `read` returns, instead of this
 * machine's. While the rows cannot be read, the last known ones stay in force and still end on time.
 */
export async function openTimedRows<Row extends Timed>({
  read,
  apply,
  intervalMs,
  name,
  log,
}: TimedRowsOptions<Row>): Promise<TimedRows> {
  let latest: { rows: readonly Row[]; clockOffset: number } = { rows: [], clockOffset: 0 };
  let applied: string | undefined;
  let reads = 0;
  let lastRead = 0;
  let stale = false;

  function applyInForce(): void {
    const now = performance.now() + latest.clockOffset;
    const inForce = latest.rows.filter(
      ({ from = null, until }) => (from === null || from <= now) && (until === null || until > now),
    );
    const text = JSON.stringify(inForce);
    if (text === applied) return;
    applied = text;
    apply(inForce);
  }

  async function update(reading: ReturnType<typeof read>): Promise<void> {
    reads += 1;
    const current = reads;
    const { now, rows } = await reading;
    // A slow read that began before another must not overwrite its result.
    if (current < lastRead) return;
    lastRead = current;
    latest = { rows, clockOffset: now - performance.now() };
    applyInForce();
  }

  async function poll(): Promise<void> {
    try {
      await update(withTimeout(read(), READ_TIMEOUT_MS, tooLate));
      stale = false;
    } catch (error) {
      if (!stale)
        log.warn({ err: error }, `the ${name} could not be read; the last known ones remain in effect`);
      stale = true;
      applyInForce();
    }
  }

  // Wait as long as it takes: without the rows, the service would ignore operators' decisions.
  await update(read());
  const polling = startJob({ intervalMs, work: poll });
  return { refresh: poll, close: polling.close };
}

const tooLate = () => new Error(`the database did not answer within ${READ_TIMEOUT_MS / 1000} s`);
