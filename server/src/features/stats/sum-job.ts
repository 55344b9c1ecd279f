import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../logging/log.ts';
import { backgroundPause, type Job, type Lease, startJob } from '../../runtime/job.ts';
import { type Batch, type Position, START, type StatSource, type StatStore } from './store.ts';

const INTERVAL_MS = 5000;
const BATCH_SIZE = 1000;
/** Batches per commit: on a busy disk a commit takes longer than the work in it. */
const BATCHES_PER_COMMIT = 4;

export interface SumJobParts {
  readonly sources: readonly StatSource[];
  readonly stats: StatStore;
  readonly lease: Lease;
  readonly timeZone: string;
  /** Upper bound on how much later a row becomes visible than rows numbered after it. */
  readonly settleMs: number;
  readonly log: Pick<Log, 'warn'>;
  readonly succeeded?: () => void;
}

/** Adds new rows to the sums, on one instance at a time. Any instance can continue where another stopped. */
export function startSumJob(parts: SumJobParts): Job {
  const { sources, stats, lease, timeZone, settleMs, log, succeeded } = parts;
  const heads = new Map<string, { position: number; notedAt: number }[]>();

  /** Returns the newest position that was the head at least `settleMs` ago; all rows before it are visible. */
  async function settledHead({ name, head }: StatSource): Promise<number | undefined> {
    const noted = heads.get(name) ?? [];
    const settled = noted.findLast(({ notedAt }) => performance.now() - notedAt >= settleMs);
    const newer = noted.filter((each) => settled === undefined || each.notedAt >= settled.notedAt);
    const notedAt = performance.now();
    heads.set(name, [...newer, { position: await head(), notedAt }]);
    return settled?.position;
  }

  async function positionOf(source: StatSource) {
    const { timeZone: summedIn, ...position } = (await stats.positions()).get(source.name) ?? {
      ...START,
      timeZone: undefined,
    };
    if (summedIn === timeZone) return position;
    if (summedIn === undefined) await stats.addCursor(source.name, timeZone);
    else await stats.restart(source, summedIn, timeZone);
    return START;
  }

  async function sumSource(source: StatSource, mayGoOn: () => Promise<boolean>): Promise<void> {
    const until = await settledHead(source);
    if (until === undefined) return;
    let position = await positionOf(source);
    while (await mayGoOn()) {
      const started = performance.now();
      const batch = await readBatches(source, position, until);
      if (!batch || !(await stats.commit(source.name, timeZone, position, batch))) return;
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
