import type { Log } from '../../../logging/log.ts';
import { startJob } from '../../../runtime/job.ts';
import type { WithdrawDeps } from '../deps.ts';
import { notifyOwner } from '../notify-owner.ts';
import type { ReportStore } from '../store/report-store.ts';

type RecoverDeps = Pick<
  WithdrawDeps,
  | 'store'
  | 'settings'
  | 'zones'
  | 'processWithdrawal'
  | 'notifyPlayer'
  | 'onFailpoint'
  | 'actor'
  | 'moved'
  | 'stopping'
  | 'log'
>;

/** Compared by the database clock, which all instances share. */
const STALE_MS = 15_000;
/** How much longer than `gm.timeout` a command takes at most: the claim before, and writing the outcome. */
const AROUND_COMMAND_MS = 10_000;
const BATCH_SIZE = 50;

/**
 * Recovers the withdrawals of a process that died. Accepted ones are processed, because nothing has been sent for them. Those
 * being sent become unknown and are never sent again.
 */
export function recover(deps: RecoverDeps) {
  const { store, settings, processWithdrawal, onFailpoint, actor, moved, stopping, log } = deps;
  return async (): Promise<void> => {
    const staleMs = Math.max(STALE_MS, settings.current.gm.timeout * 1000 + AROUND_COMMAND_MS);
    for (const withdrawal of await store.stale('sending', staleMs, BATCH_SIZE)) {
      const why = 'no word from the process that was sending it';
      const move = { from: 'sending', to: 'unknown', why, actor } as const;
      if (!(await store.move(withdrawal, move, { updatedAt: withdrawal.updatedAt }))) continue;
      moved('unknown');
      log.warn({ withdraw_id: withdrawal.id, why }, 'the outcome of a withdrawal is unknown');
      notifyOwner(deps, withdrawal);
    }
    for (const withdrawal of await store.stale('accepted', STALE_MS, BATCH_SIZE)) {
      if (stopping()) return;
      if (!(await store.adopt(withdrawal, actor))) continue;
      await onFailpoint('adopted');
      void processWithdrawal(withdrawal);
    }
  };
}

export interface RecoveryJobOptions {
  readonly recover: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly reports: ReportStore;
  readonly reportOpen: (open: Awaited<ReturnType<ReportStore['open']>>) => void;
  /** Returns a function to call when the job has succeeded. */
  readonly successOf: (job: string) => () => void;
  readonly log: Pick<Log, 'warn'>;
}

export const INTERVAL_MS = 5000;

/**
 * Recovers interrupted withdrawals at the start and every five seconds, on every instance. Each task is a separate job, so that a
 * slow zone delays only that task.
 */
export function startRecoveryJob({
  recover,
  settle,
  reports,
  reportOpen,
  successOf,
  log,
}: RecoveryJobOptions) {
  const start = (job: string, name: string, work: () => Promise<void>) =>
    startJob({
      intervalMs: INTERVAL_MS,
      work,
      succeeded: successOf(job),
      failed: (err) => log.warn({ err }, `${name} failed; retrying`),
    });
  const jobs = [
    start('withdraw_recovery', 'recovery of withdrawals', recover),
    start('withdraw_settling', 'settling of unknown withdrawals', settle),
    start('withdraw_counting', 'counting of withdrawals', async () => reportOpen(await reports.open())),
  ];
  return {
    /** Resolves when no task is running. */
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}
