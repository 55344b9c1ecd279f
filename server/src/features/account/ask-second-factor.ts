import { createHash, randomBytes } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { ChallengeIdentity, ChallengeStore } from '../two-factor/challenge-store.ts';
import type { Player } from './store.ts';

export interface AskParts {
  readonly challenges: ChallengeStore;
  /** Counts challenges by player and address, because each is a row for some minutes. */
  readonly challengeLimit: Limiter;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

interface UnfinishedLogin {
  readonly kind: 'login' | 'forum';
  readonly address: string;
  /** An identity to bind to the player after the code is accepted, not before. */
  readonly identity?: ChallengeIdentity;
  /** Further writes in the transaction that stores the challenge. */
  readonly alongside?: (trx: Trx) => Promise<void>;
}

export type AskSecondFactor = (player: Player, login: UnfinishedLogin) => Promise<never>;

/** Challenges are random bytes that cannot be guessed, so they need no slow hash. */
export const hashOfChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Refuses a login that lacks the second factor's code, with a challenge to finish the login with. */
export function askSecondFactor({ challenges, challengeLimit, transaction }: AskParts): AskSecondFactor {
  return async ({ id, tokenVersion }, { kind, address, identity, alongside }) => {
    const { over, retryAfter } = await challengeLimit.hit(`${networkOf(address)} ${id}`);
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
    const challenge = randomBytes(32).toString('base64url');
    const row = { hash: hashOfChallenge(challenge), playerId: id, tokenVersion, kind, identity };
    await transaction(async (trx) => {
      await alongside?.(trx);
      await challenges.add(trx, row);
    });
    throw new Refusal('second_factor_required', {
      ...(kind === 'forum' && { variant: 'code' }),
      extra: { challenge },
    });
  };
}
