import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { accountKey } from '../../../security/account-key.ts';

/** What a list of players is narrowed to. */
export interface PlayerFilter {
  readonly status?: 'active' | 'banned' | undefined;
  readonly agentId?: number | undefined;
}

/** A player as the list shows one; the ban is judged by the clock of the database. */
export interface FoundPlayer {
  readonly id: number;
  readonly account: string;
  readonly accountKey: string;
  readonly email: string;
  readonly isBanned: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  readonly lastServerId: number | null;
  readonly agentId: number | null;
}

/** Past every character, so that a range holds all that begins with a text. */
const LAST_CHARACTER = '\u{10ffff}';

export function playerSearchStore({ kysely, now }: Db) {
  const isBanned = sql<number>`case when status = 'banned' and (banned_until is null or banned_until > ${now}) then 1 else 0 end`;

  function players({ status, agentId }: PlayerFilter) {
    let query = kysely
      .selectFrom('player')
      .select([
        'id',
        'account',
        'account_key as accountKey',
        'email',
        'created_at as createdAt',
        'last_login_at as lastLoginAt',
        'last_server_id as lastServerId',
        'agent_id as agentId',
        isBanned.as('isBanned'),
      ]);
    if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
    if (status === 'banned') query = query.where('status', '=', 'banned').where(isBanned, '=', 1);
    if (status === 'active') query = query.where(isBanned, '=', 0);
    return query;
  }
  type Query = ReturnType<typeof players>;

  async function found(query: Query): Promise<FoundPlayer[]> {
    return (await query.execute()).map((row) => ({ ...row, isBanned: row.isBanned === 1 }));
  }

  return {
    newest(filter: PlayerFilter, { limit, before }: { limit: number; before: number | undefined }) {
      const query = players(filter).orderBy('id', 'desc').limit(limit);
      return found(before === undefined ? query : query.where('id', '<', before));
    },

    /** In the order of their names, so that the one who is called exactly so comes first. */
    beginningWith(
      text: string,
      filter: PlayerFilter,
      { limit, after }: { limit: number; after: string | undefined },
    ) {
      const key = accountKey(text);
      const query = players(filter)
        .where('account_key', '>=', key)
        .where('account_key', '<', key + LAST_CHARACTER)
        .orderBy('account_key')
        .limit(limit);
      return found(after === undefined ? query : query.where('account_key', '>', after));
    },

    withEmail(
      email: string,
      filter: PlayerFilter,
      { limit, before }: { limit: number; before: number | undefined },
    ) {
      const query = players(filter).where('email', '=', email).orderBy('id', 'desc').limit(limit);
      return found(before === undefined ? query : query.where('id', '<', before));
    },

    byIds(ids: readonly number[], filter: PlayerFilter): Promise<FoundPlayer[]> {
      if (ids.length === 0) return Promise.resolve([]);
      return found(
        players(filter)
          .where('id', 'in', [...ids])
          .orderBy('id', 'desc'),
      );
    },

    /** Who registered from an address, or came from it lately. */
    async idsAt(address: string, { limit, before }: { limit: number; before: number | undefined }) {
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const registered = kysely
        .selectFrom('player')
        .select('id')
        .where('ip', '=', address)
        .where('id', '<', below)
        .orderBy('id', 'desc')
        .limit(limit);
      const seen = kysely
        .selectFrom('player_login')
        .select('player_id as id')
        .distinct()
        .where('ip', '=', address)
        .where('player_id', '<', below)
        .orderBy('player_id', 'desc')
        .limit(limit);
      const rows = [...(await registered.execute()), ...(await seen.execute())];
      return [...new Set(rows.map(({ id }) => id))].sort((a, b) => b - a).slice(0, limit);
    },

    async idsConnectedAs(connectId: string, limit: number): Promise<number[]> {
      const rows = await kysely
        .selectFrom('player_connect_threeparty')
        .select('player_id')
        .where('connect_id', '=', connectId)
        .limit(limit)
        .execute();
      return rows.map(({ player_id }) => player_id);
    },

    async idOfWithdrawal(id: string): Promise<number | undefined> {
      const row = await kysely
        .selectFrom('withdraw')
        .select('player_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.player_id;
    },
  };
}

export type PlayerSearchStore = ReturnType<typeof playerSearchStore>;
