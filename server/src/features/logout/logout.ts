import { Refusal } from '../../refusal.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { RevocationStore, RevokedToken } from './store.ts';

export interface LogoutParts {
  readonly store: Pick<RevocationStore, 'add'>;
  readonly revoked: Pick<RevokedTokens, 'add'>;
  /** Limits by player, because each logout is a row for a day. */
  readonly limiter: Limiter;
  /** Notifies the other processes of this instance. */
  readonly tellOthers: (token: Omit<RevokedToken, 'revokedAt'>) => Promise<void>;
}

/** Ends one token: at once in every process of this instance, on other instances at their next poll. */
export function logout({ store, revoked, limiter, tellOthers }: LogoutParts) {
  return async ({ id, playerId, expiresAt }: VerifiedToken): Promise<void> => {
    const { over, retryAfter } = await limiter.hit(String(playerId));
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
    const token = { id, expiresAt: expiresAt * 1000 };
    await store.add(token);
    revoked.add(token);
    await tellOthers(token);
  };
}
