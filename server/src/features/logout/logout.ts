import { Refusal } from '../../refusal.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { RevocationStore, RevokedToken } from './store.ts';

export interface LogoutParts {
  readonly store: Pick<RevocationStore, 'add'>;
  readonly revoked: Pick<RevokedTokens, 'add'>;
  /** Each logout is a row for a day: counted by player. */
  readonly limiter: Limiter;
  /** Tells the other processes of this instance. */
  readonly tellOthers: (token: Omit<RevokedToken, 'revokedAt'>) => Promise<void>;
}

/** Ends one token: in every process of this instance at once, on the others when they next look. */
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
