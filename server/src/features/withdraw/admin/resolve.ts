import type { Actor } from '../../audit/entry.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { auditedMove, type WithdrawAdminParts } from './audited-move.ts';

export interface Resolution {
  readonly id: string;
  readonly state: 'done' | 'failed';
  readonly reason: string;
}

/** An operator settles an unknown withdrawal, once, with a reason that stays in the database. */
export function resolveUnknown(parts: WithdrawAdminParts) {
  const { store } = parts;
  const move = auditedMove(parts);
  return async (
    actor: Actor,
    { id, state, reason }: Resolution,
  ): Promise<'resolved' | 'no such withdrawal' | Withdrawal['state']> => {
    const withdrawal = await store.find(id);
    if (!withdrawal) return 'no such withdrawal';
    const resolved = await move(actor, withdrawal, {
      action: 'withdraw.settle',
      from: 'unknown',
      to: state,
      why: 'resolved by an operator',
      detail: { reason },
      reason,
      ...(state === 'failed' && { resultCode: 'deduction_refused' }),
    });
    return resolved ? 'resolved' : ((await store.find(id))?.state ?? 'no such withdrawal');
  };
}
