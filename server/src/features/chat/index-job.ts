import type { Log } from '../../logging/log.ts';
import { backgroundPause, type Job, type Lease, startJob } from '../../runtime/job.ts';
import type { ChatStore } from './store.ts';

interface IndexJobOptions {
  readonly chat: Pick<ChatStore, 'indexOldest'>;
  readonly log: Pick<Log, 'warn'>;
  /** Takes some milliseconds to write. On SQLite, requests wait for it. */
  readonly batchSize: number;
  readonly intervalMs: number;
  readonly lease?: Lease;
  readonly succeeded?: () => void;
}

/** Indexes lines that reports have left unindexed, as soon as requests leave time for it. */
export function startIndexJob({ chat, log, batchSize, ...schedule }: IndexJobOptions): Job {
  return startJob({
    ...schedule,
    async work(mayGoOn) {
      while (await mayGoOn()) {
        const started = performance.now();
        if ((await chat.indexOldest(batchSize)) < batchSize) return;
        await backgroundPause(performance.now() - started);
      }
    },
    failed: (err) => log.warn({ err }, 'chat could not be indexed'),
  });
}
