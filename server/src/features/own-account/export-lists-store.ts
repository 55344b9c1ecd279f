import { CHAT_COLUMNS, readChat } from '../../db/chat-lines.ts';
import { isPast } from '../../db/newest-first.ts';
import type { Db } from '../../db/open.ts';

const BATCH_SIZE = 500;

/** A cursor in a list ordered by time and id, as its index is. */
interface Place<Id> {
  readonly at: number;
  readonly id: Id;
}

/**
 * Reads the long lists about a player in batches, oldest first. Every batch is a range of an index, so a late batch costs no
 * more than the first.
 */
export function exportListsStore(db: Db) {
  const { kysely } = db;
  return {
    /** Returns the newest login that is left out if only the `most` newest are listed. */
    newestLoginBeyond: (id: number, most: number): Promise<Place<number> | undefined> =>
      kysely
        .selectFrom('player_login')
        .select(['id', 'at'])
        .where('player_id', '=', id)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst(),

    logins: (id: number, after: Place<number> = { at: 0, id: 0 }) =>
      batches(
        (last: Place<number>) =>
          kysely
            .selectFrom('player_login')
            .select(['id', 'at', 'kind', 'code', 'server_id', 'ip', 'agent'])
            .where('player_id', '=', id)
            .where(isPast([last.at, last.id], 'asc', { at: 'at' }))
            .orderBy('at')
            .orderBy('id')
            .limit(BATCH_SIZE)
            .execute(),
        (row) => row,
        after,
      ),

    withdrawals: (id: number) =>
      batches(
        (last: Place<string>) =>
          kysely
            .selectFrom('withdraw')
            .select(['id', 'request_key', 'server_id', 'role', 'role_id', 'role_name', 'amount', 'state'])
            .select(['result_code', 'day', 'balance_before', 'balance_after', 'created_at', 'updated_at'])
            .where('player_id', '=', id)
            .where(isPast([last.at, last.id], 'asc'))
            .orderBy('created_at')
            .orderBy('id')
            .limit(BATCH_SIZE)
            .execute(),
        (row) => ({ at: row.created_at, id: row.id }),
        { at: 0, id: '' },
      ),

    /** Leaves out `why` and `detail`, which name addresses of the game and repeat its answers. */
    withdrawalEvents: (ids: readonly string[]) =>
      kysely
        .selectFrom('withdraw_event')
        .select(['withdraw_id', 'at', 'from_state', 'to_state'])
        .where('withdraw_id', 'in', ids)
        .orderBy('withdraw_id')
        .orderBy('seq')
        .execute(),

    /** Like `newestLoginBeyond`. Lines of a burst are counted separately, so there may be up to twice as many. */
    async newestChatBeyond(account: string, most: number): Promise<Place<number> | undefined> {
      const found = await readChat(db, (chat) =>
        chat
          .select(['id', 'received_at as at'])
          .where('account', '=', account)
          .orderBy('received_at', 'desc')
          .orderBy('id', 'desc')
          .offset(most)
          .limit(1),
      );
      return found.sort(byPlace).at(-1);
    },

    chat: (account: string, after: Place<number> = { at: 0, id: 0 }) =>
      batches(
        async (last: Place<number>) => {
          const found = await readChat(db, (chat) =>
            chat
              .select(CHAT_COLUMNS)
              .where('account', '=', account)
              .where(isPast([last.at, last.id], 'asc', { at: 'received_at' }))
              .orderBy('received_at')
              .orderBy('id')
              .limit(BATCH_SIZE),
          );
          return found.sort((a, b) => byPlace(placeOf(a), placeOf(b))).slice(0, BATCH_SIZE);
        },
        placeOf,
        after,
      ),
  };
}

const placeOf = (row: { id: number; received_at: number }) => ({ at: row.received_at, id: row.id });
const byPlace = (a: Place<number>, b: Place<number>) => a.at - b.at || a.id - b.id;

export type ExportListsStore = ReturnType<typeof exportListsStore>;

/** Reads in batches, each after the cursor of the previous one. */
async function* batches<R, P>(
  read: (after: P) => Promise<R[]>,
  placeIn: (row: R) => P,
  first: P,
): AsyncGenerator<R[]> {
  for (let after = first; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return;
    after = placeIn(last);
  }
}
