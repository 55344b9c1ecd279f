import type { WithdrawOutcome } from '@gatehouse/contract';
import { Refusal } from '../../../refusal.ts';
import { tookNothing, type Withdrawal } from '../withdrawal.ts';

/** Returns the response for a withdrawal. Built from the database alone, so that a repeated request gets the same one. */
export function answerFor(withdrawal: Withdrawal): WithdrawOutcome {
  const { id, state, serverId, role, amount, balanceAfter, resultCode } = withdrawal;
  if (tookNothing(state))
    throw new Refusal(resultCode ?? 'deduction_refused', { extra: { withdraw_id: id } });
  return {
    withdraw_id: id,
    state,
    server_id: serverId,
    role,
    amount,
    ...(state === 'done' && { balance_after: balanceAfter }),
  };
}
