import { deleteOldest } from './delete-in-batches.ts';
import { classify } from './errors.ts';
import type { Db } from './open.ts';

export type NonceStore = ReturnType<typeof nonceStore>;

/** Keeps what may be used only once, on all instances together: signatures of callbacks, states of logins. */
export function nonceStore(db: Db) {
  return {
    /** True for the first use of a key, false for every later one. */
    async use(kind: string, key: string, lifetimeMs: number): Promise<boolean> {
      try {
        await db.kysely
          .insertInto('used_once')
          .values(({ eb }) => ({ kind, key, expires_at: eb(db.now, '+', lifetimeMs) }))
          .execute();
        return true;
      } catch (error) {
        if (classify(error) === 'duplicate') return false;
        throw error;
      }
    },

    deleteExpired: (limit: number) =>
      deleteOldest(db, {
        table: 'used_once',
        key: ['kind', 'key'],
        column: 'expires_at',
        before: db.now,
        limit,
      }),
  };
}
