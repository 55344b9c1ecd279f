import { createHash, randomBytes } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { ChallengeIdentity, ChallengeStore } from '../two-factor/challenge-store.ts';
import type { Player } from './store.ts';

export interface AskParts {
  readonly challenges: ChallengeStore;
  /** Each challenge is a row for some minutes: counted by player and address. */
  readonly challengeLimit: Limiter;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

interface UnfinishedLogin {
  readonly kind: 'login' | 'forum';
  readonly address: string;
  /** An identity to bind to the player when the code is right, and not before. */
  readonly identity?: ChallengeIdentity;
  /** What else becomes true by asking, in the same transaction. */
  readonly alongside?: (trx: Trx) => Promise<void>;
}

export type AskSecondFactor = (player: Player, login: UnfinishedLogin) => Promise<never>;

/** Nobody guesses random bytes, so they need no slow hash. */
export const hashOfChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Refuses a login that lacks the code of a second factor, with a challenge that it is finished with. */
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
