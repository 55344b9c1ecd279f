import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { ConditionFailed } from '../store/record-store.ts';
import type { Move, WithdrawStore } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';

export interface WithdrawAdminParts {
  readonly store: WithdrawStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface AuditedMove extends Omit<Move, 'actor'> {
  readonly action: 'withdraw.receipt';
  readonly reason: string;
}

/**
 * Applies an operator's state transition with its audit row and returns the row's id, or undefined if the state has changed
 * meanwhile.
 */
export function auditedMove({ store, audit }: WithdrawAdminParts) {
  return async (actor: Actor, withdrawal: Withdrawal, order: AuditedMove): Promise<string | undefined> => {
    const { action, reason, ...move } = order;
    const { id, serverId } = withdrawal;
    const from = { state: move.from, result_code: withdrawal.resultCode };
    const to = { state: move.to, result_code: move.resultCode ?? withdrawal.resultCode };
    try {
      return await audit.transaction(async (trx, append) => {
        await store.moveWithin(trx, withdrawal, { ...move, actor: `operator:${actor.name}` });
        return append({
          actor,
          action,
          subject: { kind: 'withdraw', id },
          serverId,
          reason,
          ...changes(from, to),
        });
      });
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  };
}
