import type { Log } from '../../../logging/log.ts';
import { pollLoop } from '../../../runtime/poll-loop.ts';
import type { ReportStore } from '../store/report-store.ts';

export interface RecoveryJobParts {
  readonly recover: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly reports: ReportStore;
  readonly reportOpen: (open: ReadonlyMap<string, number>) => void;
  readonly log: Pick<Log, 'warn'>;
}

export const INTERVAL_MS = 5000;

/**
 * Recovers interrupted withdrawals at the start and every five seconds, on every instance. Each task has its own poll loop, so
 * that a slow zone delays only that task.
 */
export function startRecoveryJob({ recover, settle, reports, reportOpen, log }: RecoveryJobParts) {
  const startPolling = (name: string, task: () => Promise<void>) =>
    pollLoop(INTERVAL_MS, () =>
      task().catch((error) => log.warn({ err: error }, `${name} failed; retrying`)),
    );
  const loops = [
    startPolling('recovery of withdrawals', recover),
    startPolling('settling of unknown withdrawals', settle),
    startPolling('counting of withdrawals', async () => reportOpen(await reports.open())),
  ];
  return {
    /** Resolves when no task is running. */
    async close(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}
