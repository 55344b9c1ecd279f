import { sweepExpired } from './delete-in-batches.ts';
import type { Db } from './open.ts';
import { insertedNew } from './unchanged.ts';

export type NonceStore = ReturnType<typeof nonceStore>;

/** Stores values that may be used only once across all instances: callback signatures, login states. */
export function nonceStore(db: Db) {
  return {
    /** Returns true for the first use of a key, false afterwards. */
    async use(kind: string, key: string, lifetimeMs: number): Promise<boolean> {
      return db.kysely
        .insertInto('used_once')
        .values(({ eb }) => ({ kind, key, expires_at: eb(db.now, '+', lifetimeMs) }))
        .$call(insertedNew);
    },

    deleteExpired: sweepExpired(db, 'used_once', ['kind', 'key'], 'expires_at'),
  };
}
