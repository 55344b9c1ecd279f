import { CHAT_COLUMNS, readChat } from '../../db/chat-lines.ts';
import type { Db } from '../../db/open.ts';

const BATCH_SIZE = 500;

/** What may be long of what is kept about a player: batch after batch. */
export function exportListsStore(db: Db) {
  const { kysely } = db;
  return {
    logins: (id: number) =>
      batches(
        (after: number) =>
          kysely
            .selectFrom('player_login')
            .select(['id', 'at', 'kind', 'code', 'server_id', 'ip', 'agent'])
            .where('player_id', '=', id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(BATCH_SIZE)
            .execute(),
        (row) => row.id,
        0,
      ),

    withdrawals: (id: number) =>
      batches(
        (after: string) =>
          kysely
            .selectFrom('withdraw')
            .select(['id', 'request_key', 'server_id', 'role', 'role_id', 'role_name', 'amount', 'state'])
            .select(['result_code', 'day', 'balance_before', 'balance_after', 'created_at', 'updated_at'])
            .where('player_id', '=', id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(BATCH_SIZE)
            .execute(),
        (row) => row.id,
        '',
      ),

    withdrawalEvents: (ids: readonly string[]) =>
      kysely
        .selectFrom('withdraw_event')
        .select(['withdraw_id', 'at', 'from_state', 'to_state', 'why'])
        .where('withdraw_id', 'in', ids)
        .orderBy('withdraw_id')
        .orderBy('seq')
        .execute(),

    chat: (accounts: readonly string[]) =>
      batches(
        async (after: number) => {
          const found = await readChat(db, (chat) =>
            chat
              .select(CHAT_COLUMNS)
              .where('account', 'in', accounts)
              .where('id', '>', after)
              .orderBy('id')
              .limit(BATCH_SIZE),
          );
          return found.sort((a, b) => a.id - b.id).slice(0, BATCH_SIZE);
        },
        (row) => row.id,
        0,
      ),
  };
}

export type ExportListsStore = ReturnType<typeof exportListsStore>;

/** Reads batch after batch, each after the last id of the one before. */
async function* batches<R, Id>(
  read: (after: Id) => Promise<R[]>,
  idOf: (row: R) => Id,
  first: Id,
): AsyncGenerator<R[]> {
  for (let after = first; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return;
    after = idOf(last);
  }
}
