import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../logging/log.ts';
import { backgroundPause, type Job, type Lease, startJob } from '../../runtime/job.ts';
import { type Batch, type Position, START, type StatSource, type StatStore, summedByTime } from './store.ts';

const INTERVAL_MS = 5000;
const BATCH_SIZE = 1000;
/** Batches per commit: on a busy disk a commit takes longer than the work in it. */
const BATCHES_PER_COMMIT = 4;

export interface SumJobOptions {
  readonly sources: readonly StatSource[];
  readonly stats: StatStore;
  readonly lease: Lease;
  readonly timeZone: string;
  /** Upper bound on how much later than its time a row becomes visible. */
  readonly settleMs: number;
  readonly log: Pick<Log, 'warn'>;
  readonly succeeded?: () => void;
}

/** Adds new rows to the sums, on one instance at a time. Any instance can continue where another stopped. */
export function startSumJob(deps: SumJobOptions): Job {
  const { sources, stats, lease, timeZone, settleMs, log, succeeded } = deps;
  const summedIn = summedByTime(timeZone);

  /** Returns the position to continue from, or undefined if another instance has started the source over. */
  async function positionOf(source: StatSource, head: number): Promise<Position | undefined> {
    const cursor = (await stats.positions()).get(source.name);
    if (!cursor) {
      await stats.addCursor(source.name, summedIn);
      return START;
    }
    const isAhead = cursor.position > head;
    if (cursor.summedIn === summedIn && !isAhead) return cursor;
    // Rows written from now on have times before the position and would not be found.
    if (isAhead && cursor.summedIn === summedIn)
      log.warn({ source: source.name }, 'the database clock was set back: the figures are counted anew');
    return (await stats.restart(source, cursor, summedIn)) ? START : undefined;
  }

  async function sumSource(source: StatSource, mayGoOn: () => Promise<boolean>): Promise<void> {
    const head = await source.head();
    let position = await positionOf(source, head);
    while (position && (await mayGoOn())) {
      const started = performance.now();
      const batch = await readBatches(source, position, head - settleMs);
      if (!batch || !(await stats.commit(source.name, summedIn, position, batch))) return;
      position = batch.next;
      await backgroundPause(performance.now() - started);
    }
  }

  return startJob({
    lease,
    intervalMs: INTERVAL_MS,
    succeeded,
    async work(mayGoOn) {
      for (const source of sources) await sumSource(source, mayGoOn);
    },
    failed: (error) => log.warn({ err: error }, 'the figures of the days could not be summed'),
  });
}

/** Reads several batches as one, yielding to requests after each. */
async function readBatches(source: StatSource, after: Position, until: number): Promise<Batch | undefined> {
  const cells: Batch['cells'][number][] = [];
  let next: Position | undefined;
  for (let count = 0; count < BATCHES_PER_COMMIT; count++) {
    const batch = await source.read(next ?? after, BATCH_SIZE, until);
    if (!batch) break;
    cells.push(...batch.cells);
    next = batch.next;
    await nextTurn();
  }
  return next && { cells, next };
}
