import { isPast } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';

export interface CohortPlayer {
  readonly id: number;
  readonly ip: string;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  readonly lastServerId: number | null;
}

export interface Span {
  /** Half-open: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
}

/** Upper bound of registrations per day whose addresses are counted, newest first. */
const MAX_ADDRESSES = 50_000;

/** Figures of players that are not stored as sums. */
export function playerFigures({ kysely }: Db) {
  return {
    /** Counts the registrations of a span by address. */
    async byAddress({ from, to }: Span, zones: readonly number[] | null) {
      let newest = kysely
        .selectFrom('player')
        .select('ip')
        .where('created_at', '>=', from)
        .where('created_at', '<', to);
      if (zones) newest = newest.where('server_id', 'in', zones);
      const rows = await kysely
        .selectFrom(newest.orderBy('created_at', 'desc').limit(MAX_ADDRESSES).as('newest'))
        .select(['ip', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('ip')
        .execute();
      return rows.map(({ ip, count }) => ({ ip, count: Number(count) }));
    },

    /** Returns players whom a promoter brought within a span, oldest first. */
    cohort(
      agentId: number,
      { from, to }: Span,
      {
        after,
        limit,
        zones,
      }: { after: CohortPlayer | undefined; limit: number; zones: readonly number[] | null },
    ): Promise<CohortPlayer[]> {
      let query = kysely
        .selectFrom('player')
        .select([
          'id',
          'ip',
          'created_at as createdAt',
          'last_login_at as lastLoginAt',
          'last_server_id as lastServerId',
        ])
        .where('agent_id', '=', agentId)
        .where('created_at', '>=', from)
        .where('created_at', '<', to);
      if (zones) query = query.where('server_id', 'in', zones);
      if (after) query = query.where(isPast([after.createdAt, after.id], 'asc', { at: 'created_at' }));
      return query.orderBy('created_at').orderBy('id').limit(limit).execute();
    },

    /** Returns when these players last came, as far as the login history reaches. */
    async lastSeen(playerIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const rows = await kysely
        .selectFrom('player_login')
        .select(['player_id', ({ fn }) => fn.max<number>('at').as('last')])
        .where('player_id', 'in', playerIds)
        .where('kind', 'in', ['login', 'forum', 'enter'])
        .groupBy('player_id')
        .execute();
      return new Map(rows.map(({ player_id, last }) => [player_id, Number(last)]));
    },
  };
}

export type PlayerFigures = ReturnType<typeof playerFigures>;

export function promoterNames({ kysely }: Db) {
  return async (agentIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (agentIds.length === 0) return new Map();
    const rows = await kysely
      .selectFrom('agent')
      .select(['agent_id', 'name'])
      .where('agent_id', 'in', agentIds)
      .execute();
    return new Map(rows.map(({ agent_id, name }) => [agent_id, name]));
  };
}
