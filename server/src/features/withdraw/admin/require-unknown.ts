import { Refusal } from '../../../refusal.ts';
import type { ReadWithdrawal } from '../store/settle-store.ts';
import { isFinal, type Withdrawal } from '../withdrawal.ts';

/** A withdrawal as an operator names it. */
export interface OperatorsWithdrawal {
  readonly id: string;
  /** The zones the operator is limited to; null or undefined for all. */
  readonly zones?: readonly number[] | null | undefined;
}

/** Refuses a withdrawal of another zone as if it did not exist. */
export function requireOwn<W extends Pick<Withdrawal, 'serverId'>>(
  withdrawal: W | undefined,
  { zones }: OperatorsWithdrawal,
): W {
  if (!withdrawal || (zones && !zones.includes(withdrawal.serverId))) throw new Refusal('withdraw_not_found');
  return withdrawal;
}

/** Refuses withdrawals that an operator cannot settle: settled ones, and those a process is still working on. */
export function requireUnknown(
  read: ReadWithdrawal | undefined,
  wanted: OperatorsWithdrawal,
): ReadWithdrawal {
  const { state } = requireOwn(read?.withdrawal, wanted);
  if (isFinal(state)) throw new Refusal('withdraw_settled');
  if (state !== 'unknown') throw new Refusal('withdraw_in_progress', { variant: 'operator' });
  return read as ReadWithdrawal;
}
