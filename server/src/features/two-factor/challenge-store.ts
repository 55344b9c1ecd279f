import { sweepExpired } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';

export interface NewLoginChallenge {
  readonly hash: string;
  readonly playerId: number;
  readonly tokenVersion: number;
  readonly kind: 'login' | 'forum';
  /** An identity to bind to the player when the login is finished. */
  readonly identity: ChallengeIdentity | undefined;
}

export interface ChallengeIdentity {
  readonly provider: string;
  readonly connectId: string;
}

export type LoginChallenge = Omit<NewLoginChallenge, 'hash'>;

const LIFETIME_MS = 5 * 60 * 1000;
const MAX_TRIES = 5;

/** Stores challenges by their hash in the database, so that any instance can finish another's login. */
export function challengeStore(db: Db) {
  const { kysely, now } = db;
  return {
    async add(trx: Trx, { hash, playerId, tokenVersion, kind, identity }: NewLoginChallenge): Promise<void> {
      await trx
        .insertInto('login_challenge')
        .values(({ eb }) => ({
          challenge_hash: hash,
          player_id: playerId,
          token_version: tokenVersion,
          kind,
          provider: identity?.provider ?? null,
          connect_id: identity?.connectId ?? null,
          expires_at: eb(now, '+', LIFETIME_MS),
        }))
        .execute();
    },

    /** Returns a challenge while it is valid. */
    async find(hash: string): Promise<LoginChallenge | undefined> {
      const row = await kysely
        .selectFrom('login_challenge')
        .select(['player_id', 'token_version', 'kind', 'provider', 'connect_id'])
        .where('challenge_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('attempts', '<', MAX_TRIES)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return undefined;
      const { player_id, token_version, kind, provider, connect_id } = row;
      const isBinding = provider !== null && connect_id !== null;
      return {
        playerId: player_id,
        tokenVersion: token_version,
        kind: kind === 'forum' ? 'forum' : 'login',
        identity: isBinding ? { provider, connectId: connect_id } : undefined,
      };
    },

    /** Takes one of its tries before the code is checked, so that parallel guesses get no more than five. */
    async takeTry(hash: string): Promise<boolean> {
      return kysely
        .updateTable('login_challenge')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
        .where('challenge_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('attempts', '<', MAX_TRIES)
        .where('expires_at', '>', now)
        .$call(changedOne);
    },

    /** Returns true for one caller across all instances. */
    async use(trx: Trx, hash: string): Promise<boolean> {
      return trx
        .updateTable('login_challenge')
        .set({ used_at: now })
        .where('challenge_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .$call(changedOne);
    },

    deleteExpired: sweepExpired(db, 'login_challenge', ['challenge_hash'], 'expires_at'),
  };
}

export type ChallengeStore = ReturnType<typeof challengeStore>;
