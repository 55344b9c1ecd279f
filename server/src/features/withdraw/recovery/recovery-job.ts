import type { Log } from '../../../logging/log.ts';
import { pollLoop } from '../../../runtime/poll-loop.ts';
import type { ReportStore } from '../store/report-store.ts';

export interface RecoveryJobParts {
  readonly recover: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly reports: ReportStore;
  readonly openNow: (open: ReadonlyMap<string, number>) => void;
  readonly log: Pick<Log, 'warn'>;
}

export const INTERVAL_MS = 5000;

/**
 * Looks after what was left behind, at the start and every five seconds, on every instance. Rounds of one kind follow
 * each other; a slow zone holds up its own kind alone.
 */
export function startRecoveryJob({ recover, settle, reports, openNow, log }: RecoveryJobParts) {
  const every = (name: string, round: () => Promise<void>) =>
    pollLoop(INTERVAL_MS, () =>
      round().catch((error) => log.warn({ err: error }, `${name} failed; it is tried again`)),
    );
  const rounds = [
    every('recovery of withdrawals', recover),
    every('settling of unknown withdrawals', settle),
    every('counting of withdrawals', async () => openNow(await reports.open())),
  ];
  return {
    /** Resolves when none is under way any more. */
    async close(): Promise<void> {
      await Promise.all(rounds.map((each) => each.close()));
    },
  };
}
