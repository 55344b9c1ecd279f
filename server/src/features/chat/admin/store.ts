import { sql } from 'kysely';
import { CHAT_COLUMNS, readChat } from '../../../db/chat-lines.ts';
import type { Db } from '../../../db/open.ts';

export interface ChatFilter {
  /** One zone, or several; all where it is left out. */
  readonly serverIds?: readonly number[] | undefined;
  readonly account?: string | undefined;
  readonly role?: string | undefined;
  readonly channel?: string | undefined;
  readonly contains?: string | undefined;
  /** From this moment on, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Where a page begins: behind the line of this time and id. */
export type ChatPosition = readonly [receivedAt: number, id: number];

export function chatSearchStore(db: Db) {
  const lines = () => db.kysely.selectFrom('chat').select(CHAT_COLUMNS);

  return {
    /** Newest first. */
    async search(filter: ChatFilter, { limit, after }: { limit: number; after: ChatPosition | undefined }) {
      const { serverIds, account, role, channel, contains, from, to } = filter;
      // As an expression it takes no index: an account or a role has fewer lines than a zone.
      const serverId =
        account === undefined && role === undefined ? sql.ref<number>('server_id') : sql<number>`+server_id`;
      const found = await readChat(db, (chat) => {
        let query = chat
          .select(CHAT_COLUMNS)
          .orderBy('received_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit);
        if (serverIds?.length === 1) query = query.where(serverId, '=', serverIds[0] ?? 0);
        else if (serverIds !== undefined) query = query.where(serverId, 'in', [...serverIds]);
        if (account !== undefined) query = query.where('account', '=', account);
        if (role !== undefined) query = query.where('role', '=', role);
        if (channel !== undefined) query = query.where('channel', '=', channel);
        if (from !== undefined) query = query.where('received_at', '>=', from);
        if (to !== undefined) query = query.where('received_at', '<', to);
        // LIKE would ignore the case of letters on one engine only.
        if (contains !== undefined) query = query.where(sql<boolean>`instr(content, ${contains}) > 0`);
        if (after !== undefined)
          query = query
            .where('received_at', '<=', after[0])
            .where(({ eb, or }) => or([eb('received_at', '<', after[0]), eb('id', '<', after[1])]));
        return query;
      });
      return found.sort((a, b) => b.received_at - a.received_at || b.id - a.id).slice(0, limit);
    },

    find(id: number) {
      return lines().where('id', '=', id).executeTakeFirst();
    },

    /** The lines next to one in its zone and channel: earlier ones newest first, or later ones oldest first. */
    around(
      line: {
        readonly server_id: number;
        readonly channel: string;
        readonly received_at: number;
        readonly id: number;
      },
      side: 'before' | 'after',
      limit: number,
    ) {
      const [direction, passes, includes] =
        side === 'before' ? (['desc', '<', '<='] as const) : (['asc', '>', '>='] as const);
      return lines()
        .where('server_id', '=', line.server_id)
        .where('channel', '=', line.channel)
        .where('received_at', includes, line.received_at)
        .where(({ eb, or }) => or([eb('received_at', passes, line.received_at), eb('id', passes, line.id)]))
        .orderBy('received_at', direction)
        .orderBy('id', direction)
        .limit(limit)
        .execute();
    },
  };
}

export type ChatSearchStore = ReturnType<typeof chatSearchStore>;
