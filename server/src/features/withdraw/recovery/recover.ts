import type { Log } from '../../../logging/log.ts';
import type { OnFailpoint } from '../process/failpoints.ts';
import type { ProcessWithdrawal } from '../process/process-withdrawal.ts';
import type { WithdrawStore } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';

export interface RecoverParts {
  readonly store: WithdrawStore;
  readonly processWithdrawal: ProcessWithdrawal;
  readonly onFailpoint: OnFailpoint;
  readonly actor: string;
  readonly moved: (state: Withdrawal['state']) => void;
  /** A process that is stopping takes nothing over. */
  readonly stopping: () => boolean;
  readonly log: Pick<Log, 'warn'>;
}

/** By the database's clock, which all instances share. */
const STALE_MS = 15_000;
const BATCH_SIZE = 50;

/**
 * Recovers the withdrawals of a process that died. One that was only accepted is processed, since nothing has been sent
 * for it; one that was being sent becomes unknown, and is never sent again.
 */
export function recover({
  store,
  processWithdrawal,
  onFailpoint,
  actor,
  moved,
  stopping,
  log,
}: RecoverParts) {
  return async (): Promise<void> => {
    for (const withdrawal of await store.stale('sending', STALE_MS, BATCH_SIZE)) {
      const why = 'no word from the process that was sending it';
      const move = { from: 'sending', to: 'unknown', why, actor } as const;
      if (!(await store.move(withdrawal, move, { updatedAt: withdrawal.updatedAt }))) continue;
      moved('unknown');
      log.warn({ withdraw_id: withdrawal.id, why }, 'the outcome of a withdrawal is unknown');
    }
    for (const withdrawal of await store.stale('accepted', STALE_MS, BATCH_SIZE)) {
      if (stopping()) return;
      if (!(await store.adopt(withdrawal, actor))) continue;
      await onFailpoint('adopted');
      void processWithdrawal(withdrawal);
    }
  };
}
