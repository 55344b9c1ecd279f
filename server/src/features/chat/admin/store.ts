import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { CHAT_COLUMNS, CHAT_ORDER, type ChatQuery, readChat, readNamedChat } from '../../../db/chat-lines.ts';
import { isPast } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import type { Database } from '../../../db/schema.ts';

export interface ChatFilter {
  /** The zones to search; all if undefined. */
  readonly serverIds?: readonly number[] | undefined;
  readonly account?: string | undefined;
  readonly role?: string | undefined;
  readonly channel?: string | undefined;
  readonly contains?: string | undefined;
  /** From this time, inclusive, to that one, exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The cursor of a page: time and id of the line before it. */
export type ChatPosition = readonly [receivedAt: number, id: number];

/** Lines that SQLite searches for a text before other requests are served, which takes some milliseconds. */
const SLICE = 2000;

interface ChatPage {
  readonly limit: number;
  readonly after: ChatPosition | undefined;
}

/** A page that ends at `until`, inclusive. */
interface ChatRange extends ChatPage {
  readonly offset?: number;
  readonly until?: ChatPosition | undefined;
}

/** Returns the name to search by: a role has fewer lines than a channel. */
function nameIn({ role, channel }: ChatFilter) {
  if (role !== undefined) return { field: 'role', name: role } as const;
  return channel === undefined ? undefined : ({ field: 'channel', name: channel } as const);
}

export function chatSearchStore(db: Db) {
  const lines = () => db.kysely.selectFrom('chat').select(CHAT_COLUMNS);

  async function read(filter: ChatFilter, { limit, after, offset, until }: ChatRange) {
    const { serverIds, account, role, channel, contains, from, to } = filter;
    // An expression uses no index: an account or a role has fewer lines than a zone.
    const serverId =
      account === undefined && role === undefined ? sql.ref<number>('server_id') : sql<number>`+server_id`;
    const select = (chat: ChatQuery<object>, { at, id } = CHAT_ORDER) => {
      let query = chat.select(CHAT_COLUMNS).orderBy(at, 'desc').orderBy(id, 'desc').limit(limit);
      if (offset !== undefined) query = query.offset(offset);
      if (serverIds?.length === 1) query = query.where(serverId, '=', serverIds[0] ?? 0);
      else if (serverIds !== undefined) query = query.where(serverId, 'in', [...serverIds]);
      if (account !== undefined) query = query.where('account', '=', account);
      if (role !== undefined) query = query.where('role', '=', role);
      if (channel !== undefined) query = query.where('channel', '=', channel);
      if (from !== undefined) query = query.where(at, '>=', from);
      if (to !== undefined) query = query.where(at, '<', to);
      // LIKE ignores case on only one of the engines.
      if (contains !== undefined) query = query.where(sql<boolean>`instr(content, ${contains}) > 0`);
      if (after !== undefined)
        query = query
          .where(at, '<=', after[0])
          .where(({ eb, or }) => or([eb(at, '<', after[0]), eb(id, '<', after[1])]));
      if (until !== undefined)
        query = query
          .where(at, '>=', until[0])
          .where(({ eb, or }) => or([eb(at, '>', until[0]), eb(id, '>=', until[1])]));
      return query;
    };
    const named = account === undefined ? nameIn(filter) : undefined;
    const found = await (named ? readNamedChat(db, named, select) : readChat(db, select));
    return found.sort((a, b) => b.received_at - a.received_at || b.id - a.id).slice(0, limit);
  }

  /**
   * Returns the last line of the next slice, regardless of its content, or undefined if there are fewer. Ignores several
   * zones, because no index has them in order.
   */
  async function sliceEnd(
    filter: ChatFilter,
    after: ChatPosition | undefined,
  ): Promise<ChatPosition | undefined> {
    const serverIds = filter.serverIds?.length === 1 ? filter.serverIds : undefined;
    const sliced = { ...filter, serverIds, contains: undefined };
    const [last] = await read(sliced, { limit: 1, offset: SLICE - 1, after });
    return last && [last.received_at, last.id];
  }

  /** On SQLite, searches a text slice by slice: a single statement would block all requests. */
  async function search(filter: ChatFilter, { limit, after }: ChatPage) {
    if (db.engine === 'mysql' || filter.contains === undefined) return read(filter, { limit, after });
    const found: Awaited<ReturnType<typeof read>> = [];
    for (;;) {
      const until = await sliceEnd(filter, after);
      found.push(...(await read(filter, { limit: limit - found.length, after, until })));
      if (found.length === limit || until === undefined) return found;
      after = until;
      await nextTurn();
    }
  }

  return {
    /** Returns lines newest first. */
    search,

    find(id: number) {
      return lines().where('id', '=', id).executeTakeFirst();
    },

    /** Returns the neighbours of a line in its zone and channel: earlier ones newest first, or later ones oldest first. */
    around(
      line: Pick<Selectable<Database['chat']>, 'server_id' | 'channel' | 'received_at' | 'id'>,
      side: 'before' | 'after',
      limit: number,
    ) {
      const direction = side === 'before' ? 'desc' : 'asc';
      return lines()
        .where('server_id', '=', line.server_id)
        .where('channel', '=', line.channel)
        .where(isPast([line.received_at, line.id], direction, { at: 'received_at' }))
        .orderBy('received_at', direction)
        .orderBy('id', direction)
        .limit(limit)
        .execute();
    },
  };
}

export type ChatSearchStore = ReturnType<typeof chatSearchStore>;
