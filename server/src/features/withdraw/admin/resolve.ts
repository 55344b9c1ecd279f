import type { WithdrawStore } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';

export interface Resolution {
  readonly state: 'done' | 'failed';
  readonly reason: string;
  readonly operator: string;
}

/** An operator settles an unknown withdrawal, once, with a reason that stays in the database. */
export async function resolveUnknown(
  store: WithdrawStore,
  id: string,
  { state, reason, operator }: Resolution,
): Promise<'resolved' | 'no such withdrawal' | Withdrawal['state']> {
  const withdrawal = await store.find(id);
  if (!withdrawal) return 'no such withdrawal';
  const resolved = await store.move(withdrawal, {
    from: 'unknown',
    to: state,
    why: 'resolved by an operator',
    actor: `operator:${operator}`,
    detail: { reason },
    ...(state === 'failed' && { resultCode: 'deduction_refused' }),
  });
  return resolved ? 'resolved' : ((await store.find(id))?.state ?? 'no such withdrawal');
}
