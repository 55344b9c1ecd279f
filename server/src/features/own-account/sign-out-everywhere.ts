import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import type { Limiter } from '../../security/throttle.ts';
import { type Owner, refOf } from './owner.ts';
import { type RenewParts, renewSession } from './renew-session.ts';
import type { OwnAccountStore } from './store.ts';

export interface SignOutParts extends RenewParts {
  readonly own: Pick<OwnAccountStore, 'endTokens'>;
  readonly signOutLimit: Limiter;
}

export function signOutEverywhere(parts: SignOutParts) {
  const renew = renewSession(parts);
  return async (owner: Owner): Promise<Session> => {
    await refuseOver(parts.signOutLimit, owner);
    return renew(owner, { change: (trx) => parts.own.endTokens(trx, refOf(owner)) });
  };
}

export async function refuseOver(limiter: Limiter, { playerId }: Pick<Owner, 'playerId'>): Promise<void> {
  const { over, retryAfter } = await limiter.hit(String(playerId));
  if (over) throw new Refusal('too_many_attempts', { retryAfter });
}
