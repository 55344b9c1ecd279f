import { sweepExpired } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import { insertedNew } from '../../db/unchanged.ts';

export interface RevokedToken {
  readonly id: string;
  readonly revokedAt: number;
  /** When it would have expired. */
  readonly expiresAt: number;
}

export type RevocationStore = ReturnType<typeof revocationStore>;

export function revocationStore(db: Db) {
  const { kysely } = db;
  return {
    /** Revokes a token. Idempotent. */
    async add({ id, expiresAt }: Omit<RevokedToken, 'revokedAt'>): Promise<void> {
      await insertedNew(kysely.insertInto('revoked_token').values({ token_id: id, expires_at: expiresAt }));
    },

    revokedSince(time: number): Promise<RevokedToken[]> {
      return kysely
        .selectFrom('revoked_token')
        .select(['token_id as id', 'revoked_at as revokedAt', 'expires_at as expiresAt'])
        .where('revoked_at', '>=', time)
        .where('expires_at', '>', db.now)
        .execute();
    },

    deleteExpired: sweepExpired(db, 'revoked_token', ['token_id'], 'expires_at'),
  };
}
