import type { Log } from '../logging/log.ts';
import { pollLoop } from './poll-loop.ts';
import { withTimeout } from './with-timeout.ts';

/** Holds from `from` on, before `until`; null is without a bound. */
export interface Timed {
  readonly from?: number | null;
  readonly until: number | null;
}

export interface TimedRowsParts<Row extends Timed> {
  /** All rows that have not ended yet, and the time on the clock that decides. */
  readonly read: () => Promise<{ readonly now: number; readonly rows: readonly Row[] }>;
  /** Called with the rows in force whenever they change, and once at the start. */
  readonly apply: (inForce: readonly Row[]) => void;
  readonly intervalMs: number;
  /** What the rows are, for the log. */
  readonly name: string;
  readonly log: Pick<Log, 'warn'>;
}

export interface TimedRows {
  /** Reads them now instead of at the next poll; that this cannot be done is logged and no error. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const READ_TIMEOUT_MS = 2000;

/**
 * Keeps rows that begin and end by themselves in memory. They begin and end by the clock they were read with, not by
 * this machine's; while they cannot be read, the last known ones stay in force and still end when they should.
 */
export async function openTimedRows<Row extends Timed>({
  read,
  apply,
  intervalMs,
  name,
  log,
}: TimedRowsParts<Row>): Promise<TimedRows> {
  let known: { rows: readonly Row[]; clockOffset: number } = { rows: [], clockOffset: 0 };
  let applied: string | undefined;
  let reads = 0;
  let lastRead = 0;
  let stale = false;

  function applyInForce(): void {
    const now = performance.now() + known.clockOffset;
    const inForce = known.rows.filter(
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
    // A slow read that began before another one must not replace what that one has found.
    if (current < lastRead) return;
    lastRead = current;
    known = { rows, clockOffset: now - performance.now() };
    applyInForce();
  }

  async function poll(): Promise<void> {
    try {
      await update(withTimeout(read(), READ_TIMEOUT_MS, tooLate));
      stale = false;
    } catch (error) {
      if (!stale)
        log.warn({ err: error }, `the ${name} could not be read; the last known ones stay in force`);
      stale = true;
      applyInForce();
    }
  }

  // However long it takes: without them the service would not do what operators have decided.
  await update(read());
  const polling = pollLoop(intervalMs, poll);
  return { refresh: poll, close: polling.close };
}

const tooLate = () => new Error(`the database gave no answer within ${READ_TIMEOUT_MS / 1000} s`);
