import type { Log } from '../../logging/log.ts';
import { backgroundPause, type Job, startJob } from '../../runtime/job.ts';
import type { ChatStore } from './store.ts';

/** Takes some milliseconds to write, during which requests wait. */
const BATCH_SIZE = 200;
const INTERVAL_MS = 1000;

/** Indexes lines that bursts have left unindexed, within seconds or as soon as requests leave time for it. */
export function startIndexJob({ indexOldest }: ChatStore, log: Pick<Log, 'warn'>): Job {
  return startJob({
    intervalMs: INTERVAL_MS,
    async work(mayGoOn) {
      while (await mayGoOn()) {
        const started = performance.now();
        if ((await indexOldest(BATCH_SIZE)) < BATCH_SIZE) return;
        await backgroundPause(performance.now() - started);
      }
    },
    failed: (err) => log.warn({ err }, 'chat could not be indexed'),
  });
}
