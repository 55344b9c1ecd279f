import type { Selectable } from 'kysely';
import { deleteChat, readChat } from '../../db/chat-lines.ts';
import { isPast } from '../../db/newest-first.ts';
import type { Db } from '../../db/open.ts';
import { valuesOf } from '../../db/row-count.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Traces } from './erasure-store.ts';

/** What an audit row says, and what it is about. */
export type AuditTexts = Pick<Selectable<Database['audit']>, 'subject_kind' | 'reason' | 'before' | 'after'>;

const BATCH_SIZE = 1000;
const PLAYER = 'player';

/** Removes an erased player's data from other tables. */
export function erasedRecordsStore(db: Db) {
  const { kysely } = db;
  return {
    /** Removes everything found by the player's id or address, except the long lists. */
    async removeRecords(trx: Trx, { id, email }: Pick<Traces, 'id' | 'email'>): Promise<void> {
      await trx
        .deleteFrom('forum_ticket')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('player_connect_threeparty as binding')
              .select('binding.id')
              .where('binding.player_id', '=', id)
              .whereRef('binding.provider', '=', 'forum_ticket.provider')
              .whereRef('binding.connect_id', '=', 'forum_ticket.connect_id'),
          ),
        )
        .execute();
      const tables = [
        'player_connect_threeparty',
        'forum_account',
        'entry_ticket',
        'login_challenge',
        'player_event',
        'player_note',
        'player_zone',
        'webhook_delivery',
      ] as const;
      for (const table of tables) await trx.deleteFrom(table).where('player_id', '=', id).execute();
      for (const table of ['two_factor', 'recovery_code'] as const)
        await trx.deleteFrom(table).where('owner_kind', '=', PLAYER).where('owner_id', '=', id).execute();
      if (email === '') return;
      for (const table of ['verify', 'wrong_code'] as const)
        await trx.deleteFrom(table).where('email', '=', email).execute();
    },

    /** Removes a batch of logins. Returns true if there may be more. */
    async removeLogins(playerIds: readonly number[]): Promise<boolean> {
      if (playerIds.length === 0) return false;
      const ids = await kysely
        .selectFrom('player_login')
        .select('id')
        .where('player_id', 'in', playerIds)
        .limit(BATCH_SIZE)
        .$call(valuesOf('id'));
      if (ids.length > 0) await kysely.deleteFrom('player_login').where('id', 'in', ids).execute();
      return ids.length === BATCH_SIZE;
    },

    /** Removes a batch of the chat that game servers reported of an account. */
    async removeChat(accounts: readonly string[]): Promise<boolean> {
      const rows = await readChat(db, (chat) =>
        chat.select('id').where('account', 'in', accounts).limit(BATCH_SIZE),
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return false;
      await deleteChat(db, ids);
      return ids.length >= BATCH_SIZE;
    },

    /** Returns the audit rows about the player. */
    auditRows(trx: Trx, id: number) {
      return trx
        .selectFrom('audit')
        .select(['id', 'subject_kind', 'reason', 'before', 'after'])
        .where('subject_kind', '=', PLAYER)
        .where('subject_id', '=', String(id))
        .execute();
    },

    /** Yields the audit rows of exported lists, page by page. Their filters may name a player. */
    async *exportRows() {
      let last = { at: 0, id: '' };
      for (let isFull = true; isFull; ) {
        const page = await kysely
          .selectFrom('audit')
          .select(['id', 'at', 'subject_kind', 'reason', 'before', 'after'])
          .where('action', '=', 'export')
          .where(isPast([last.at, last.id], 'asc', { at: 'at' }))
          .orderBy('at')
          .orderBy('id')
          .limit(BATCH_SIZE)
          .execute();
        yield* page;
        isFull = page.length === BATCH_SIZE;
        last = page.at(-1) ?? last;
      }
    },

    async rewriteAudit(trx: Trx, id: string, texts: Omit<AuditTexts, 'subject_kind'>): Promise<void> {
      await trx.updateTable('audit').set(texts).where('id', '=', id).execute();
    },
  };
}

export type ErasedRecordsStore = ReturnType<typeof erasedRecordsStore>;
