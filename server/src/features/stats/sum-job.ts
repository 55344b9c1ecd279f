import type { JobLease } from '../../db/job-lease.ts';
import type { Log } from '../../logging/log.ts';
import { giveWay } from '../../runtime/give-way.ts';
import { pollLoop } from '../../runtime/poll-loop.ts';
import { START, type StatSource, type StatStore } from './store.ts';

const INTERVAL_MS = 5000;
const BATCH_SIZE = 1000;

export interface SumJobParts {
  readonly sources: readonly StatSource[];
  readonly stats: StatStore;
  readonly lease: JobLease;
  readonly timeZone: string;
  /** Rows become visible later than others that were numbered after them, but not later than this. */
  readonly settleMs: number;
  readonly log: Pick<Log, 'warn'>;
}

export interface SumJob {
  /** One round more, beside those that the job makes by itself. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Adds what is new to the sums, on one instance at a time. What was begun goes on where it stopped, on any instance. */
export function startSumJob(parts: SumJobParts): SumJob {
  const { sources, stats, lease, timeZone, settleMs, log } = parts;
  const heads = new Map<string, { position: number; notedAt: number }[]>();
  let closed = false;
  let running = Promise.resolve();

  /** The newest position that was the head long enough ago; what comes before it is all there. */
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

  async function sumSource(source: StatSource): Promise<void> {
    const until = await settledHead(source);
    if (until === undefined) return;
    let position = await positionOf(source);
    while (!closed && (await lease.hold())) {
      const started = performance.now();
      const batch = await source.read(position, BATCH_SIZE, until);
      if (!batch || !(await stats.commit(source.name, timeZone, position, batch))) return;
      position = batch.next;
      await giveWay(performance.now() - started);
    }
  }

  async function round(): Promise<void> {
    try {
      if (!(await lease.hold())) return;
      for (const source of sources) await sumSource(source);
    } catch (error) {
      log.warn({ err: error }, 'the figures of the days could not be summed');
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
      await lease.release().catch(() => {});
    },
  };
}
