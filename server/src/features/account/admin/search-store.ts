import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { valuesOf } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { accountKey } from '../../../security/account-key.ts';

export interface PlayerFilter {
  readonly status?: 'active' | 'banned' | undefined;
  readonly agentId?: number | undefined;
  /** Only players of these zones; null or undefined for all. */
  readonly zones?: readonly number[] | null | undefined;
}

interface PageById {
  readonly limit: number;
  readonly before: number | undefined;
}

/** A player in a list. Whether the ban is in force is decided by the database clock. */
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

/** Sorts after every other character: the end of a prefix range. */
const LAST_CHARACTER = '\u{10ffff}';

const MAX_MERGED_ZONES = 10;
const CONCURRENCY = 4;

/** Matches players who have entered one of these zones or chose it at registration. */
export const isPlayerOf = (zones: readonly number[]) => (eb: ExpressionBuilder<Database, 'player'>) =>
  eb.or([
    eb('player.server_id', 'in', zones),
    eb('player.last_server_id', 'in', zones),
    eb.exists(
      eb
        .selectFrom('player_zone')
        .select('player_zone.player_id')
        .whereRef('player_zone.player_id', '=', 'player.id')
        .where('player_zone.server_id', 'in', zones),
    ),
  ]);

const newestFirst = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => b - a);

export function playerSearchStore({ kysely, now }: Db) {
  const isBanned = sql<number>`case when status = 'banned' and (banned_until is null or banned_until > ${now}) then 1 else 0 end`;

  function players({ status, agentId, zones }: PlayerFilter) {
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
    if (zones) query = query.where(isPlayerOf(zones));
    return query;
  }
  type Query = ReturnType<typeof players>;

  async function found(query: Query): Promise<FoundPlayer[]> {
    return (await query.execute()).map((row) => ({ ...row, isBanned: row.isBanned === 1 }));
  }

  async function byIds(ids: readonly number[], filter: PlayerFilter): Promise<FoundPlayer[]> {
    if (ids.length === 0) return [];
    const query = players(filter).where('id', 'in', ids);
    return found(query.orderBy('id', 'desc'));
  }

  /** Reads ids batch by batch until a page of players passes the filter. */
  async function filtered(
    nextIds: (page: PageById) => Promise<number[]>,
    filter: PlayerFilter,
    { limit, before }: PageById,
  ): Promise<FoundPlayer[]> {
    const matching: FoundPlayer[] = [];
    for (let after = before; ; ) {
      const ids = await nextIds({ limit, before: after });
      matching.push(...(await byIds(ids, filter)));
      if (ids.length < limit || matching.length >= limit) return matching.slice(0, limit);
      after = ids.at(-1);
    }
  }

  /**
   * Returns players who registered for one of the zones or entered it. Reads zone by zone, because no index has several zones
   * in one order.
   */
  const idsIn = (zones: readonly number[]) => async (page: PageById) => {
    const { limit, before = Number.MAX_SAFE_INTEGER } = page;
    const ids: number[] = [];
    await forEachConcurrent(zones, CONCURRENCY, async (zone) => {
      for (const column of ['server_id', 'last_server_id'] as const) {
        const found = await kysely
          .selectFrom('player')
          .select('id')
          .where(column, '=', zone)
          .where('id', '<', before)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        ids.push(...found.map(({ id }) => id));
      }
      const entered = await kysely
        .selectFrom('player_zone')
        .select('player_id as id')
        .where('server_id', '=', zone)
        .where('player_id', '<', before)
        .orderBy('player_id', 'desc')
        .limit(limit)
        .execute();
      ids.push(...entered.map(({ id }) => id));
    });
    return newestFirst(ids).slice(0, limit);
  };

  /** Returns players who registered from an address or recently used it. */
  const idsAt = (address: string) => async (page: PageById) => {
    const { limit, before = Number.MAX_SAFE_INTEGER } = page;
    const registered = kysely
      .selectFrom('player')
      .select('id')
      .where('ip', '=', address)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit);
    const seen = kysely
      .selectFrom('player_login')
      .select('player_id as id')
      .distinct()
      .where('ip', '=', address)
      .where('player_id', '<', before)
      .orderBy('player_id', 'desc')
      .limit(limit);
    const rows = [...(await registered.execute()), ...(await seen.execute())];
    return newestFirst(rows.map(({ id }) => id)).slice(0, limit);
  };

  return {
    /**
     * Reads players of a few zones from the index of each. With many zones it filters all players, which finds a page soon
     * enough.
     */
    async newest(filter: PlayerFilter, page: PageById): Promise<FoundPlayer[]> {
      const { zones, status, agentId } = filter;
      const isOfFewZones = zones && zones.length <= MAX_MERGED_ZONES;
      if (isOfFewZones && status === undefined && agentId === undefined)
        return filtered(idsIn(zones), {}, page);
      const query = players(filter).orderBy('id', 'desc').limit(page.limit);
      return found(page.before === undefined ? query : query.where('id', '<', page.before));
    },

    /** Returns players ordered by name, so that an exact match comes first. */
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

    withEmail(email: string, filter: PlayerFilter, { limit, before }: PageById) {
      const query = players(filter).where('email', '=', email).orderBy('id', 'desc').limit(limit);
      return found(before === undefined ? query : query.where('id', '<', before));
    },

    /** Returns players who changed this address for another one, since the time; older changes are not searched. */
    async idsFormerlyWith(email: string, since: number, limit: number): Promise<number[]> {
      const ids = await kysely
        .selectFrom('player_event')
        .select('player_id')
        .where('at', '>', since)
        .where('kind', '=', 'email')
        .where('detail', '=', email)
        .limit(limit)
        .$call(valuesOf('player_id'));
      return [...new Set(ids)];
    },

    byIds,

    at: (address: string, filter: PlayerFilter, page: PageById) => filtered(idsAt(address), filter, page),

    idsConnectedAs: (connectId: string, limit: number): Promise<number[]> =>
      kysely
        .selectFrom('player_connect_threeparty')
        .select('player_id')
        .where('connect_id', '=', connectId)
        .limit(limit)
        .$call(valuesOf('player_id')),

    /** Returns the player of a withdrawal, if it is one of the operator's zones. */
    async ownerOfWithdrawal(id: string, zones: PlayerFilter['zones']): Promise<number | undefined> {
      const row = await kysely
        .selectFrom('withdraw')
        .select(['player_id', 'server_id'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && (zones?.includes(row.server_id) ?? true) ? row.player_id : undefined;
    },
  };
}

export type PlayerSearchStore = ReturnType<typeof playerSearchStore>;
