import type { WithdrawState } from '@gatehouse/contract';
import type { Db } from '../../../db/open.ts';
import { insertedId, valuesOf } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';

/** The data on a player's page that is not in the player's own row. */
export function playerPageStore({ kysely, now }: Db) {
  return {
    row(id: number) {
      return kysely
        .selectFrom('player')
        .select(['ban_reason', 'banned_until', 'server_id', 'ip', 'last_login_ip', 'legacy_seen_at'])
        .select(['login_count', 'device', 'os', 'browse', 'deletion_at'])
        .select(['muted_until', 'mute_reason', 'password_temporary'])
        .select(({ eb }) => eb('muted_until', '>', now).as('is_muted'))
        .where('id', '=', id)
        .executeTakeFirst();
    },

    bindings(playerId: number) {
      return kysely
        .selectFrom('player_connect_threeparty')
        .select(['provider', 'connect_id', 'created_at'])
        .where('player_id', '=', playerId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
    },

    notes(playerId: number, limit: number) {
      return kysely
        .selectFrom('player_note')
        .select(['id', 'text', 'by', 'at'])
        .where('player_id', '=', playerId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Returns withdrawals of these zones only, or of all if `zones` is null. */
    async withdrawals(playerId: number, zones: readonly number[] | null, limit: number) {
      const query = kysely
        .selectFrom('withdraw')
        .select(['id', 'server_id', 'role_name', 'amount', 'state', 'created_at'])
        .where('player_id', '=', playerId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      const rows = await (zones === null ? query : query.where('server_id', 'in', [...zones])).execute();
      return rows.map((row) => ({ ...row, state: row.state as WithdrawState }));
    },

    /** Returns the addresses the player was last seen at. */
    async addresses(playerId: number, limit: number): Promise<string[]> {
      const addresses = await kysely
        .selectFrom('player_login')
        .select('ip')
        .where('player_id', '=', playerId)
        .where('kind', '!=', 'refused')
        .orderBy('at', 'desc')
        .limit(limit)
        .$call(valuesOf('ip'));
      return [...new Set(addresses)];
    },

    addNote: (trx: Trx, note: { playerId: number; text: string; by: string }): Promise<number> =>
      trx
        .insertInto('player_note')
        .values({ player_id: note.playerId, text: note.text, by: note.by })
        .$call(insertedId),
  };
}

export type PlayerPageStore = ReturnType<typeof playerPageStore>;
