import type { Log } from '../../logging/log.ts';
import { startJob } from '../../runtime/job.ts';
import type { LocalTime } from '../../runtime/time.ts';
import type { RetiredEntry, TakeoverStore } from './store.ts';

const FLUSH_MS = 5000;

interface RetiredHitsDeps {
  readonly store: Pick<TakeoverStore, 'addRetiredHits'>;
  readonly time: LocalTime;
  readonly log: Pick<Log, 'warn'>;
}

/** Counts hits on retired entries in memory and adds them to the sums of the day every few seconds. */
export function countRetiredHits({ store, time, log }: RetiredHitsDeps) {
  let waiting = new Map<RetiredEntry, number>();

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const hits = waiting;
    waiting = new Map();
    await store
      .addRetiredHits(time.today().day, hits)
      .catch((error) => log.warn({ err: error }, 'hits on retired entries could not be counted'));
  }

  const job = startJob({ intervalMs: FLUSH_MS, firstAfterMs: FLUSH_MS, work: write });
  return {
    hit: (entry: RetiredEntry) => void waiting.set(entry, (waiting.get(entry) ?? 0) + 1),
    flush: job.run,
    async close() {
      await job.close();
      await write();
    },
  };
}
