import { sweepExpired } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import type { ConnectedIdentity } from './store.ts';

/** The identity that a ticket is for. */
export interface TicketHolder extends ConnectedIdentity {
  readonly name: string | null;
}

/** Stores tickets by their hash in the database, so that any instance can accept another's. */
export function ticketStore(db: Db) {
  const { kysely } = db;
  return {
    async add(hash: string, { provider, connectId, name }: TicketHolder, lifetimeMs: number): Promise<void> {
      await kysely
        .insertInto('forum_ticket')
        .values(({ eb }) => ({
          ticket_hash: hash,
          provider,
          connect_id: connectId,
          profile_name: name,
          created_at: db.now,
          expires_at: eb(db.now, '+', lifetimeMs),
        }))
        .execute();
    },

    find(hashes: readonly string[]): Promise<TicketHolder | undefined> {
      return kysely
        .selectFrom('forum_ticket')
        .select(['provider', 'connect_id as connectId', 'profile_name as name'])
        .where('ticket_hash', 'in', hashes)
        .where('used_at', 'is', null)
        .where('expires_at', '>', db.now)
        .executeTakeFirst();
    },

    /** Uses up the ticket in the caller's transaction. Returns true for one caller only. */
    async consume(hashes: readonly string[], trx: Trx | Db['kysely'] = kysely): Promise<boolean> {
      return trx
        .updateTable('forum_ticket')
        .set({ used_at: db.now })
        .where('ticket_hash', 'in', hashes)
        .where('used_at', 'is', null)
        .where('expires_at', '>', db.now)
        .$call(changedOne);
    },

    deleteExpired: sweepExpired(db, 'forum_ticket', ['ticket_hash'], 'expires_at'),
  };
}

export type TicketStore = ReturnType<typeof ticketStore>;
