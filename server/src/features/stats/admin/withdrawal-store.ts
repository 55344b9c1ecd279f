import type { Db } from '../../../db/open.ts';

const OPEN_STATES = ['accepted', 'sending', 'unknown'];
/** Upper bound for the count query. */
const MAX_OPEN = 10_000;
/** Maximum players per query. */
export const MAX_PLAYERS = 500;

/** Figures of withdrawals that are not stored as sums. */
export function withdrawalFigures({ kysely }: Db) {
  return {
    /** Returns open withdrawals. Queries each state separately: for several at once SQLite may scan the whole table. */
    async open(zones: readonly number[] | null) {
      const found = OPEN_STATES.map((state) => {
        const query = kysely
          .selectFrom('withdraw')
          .select(['state', 'created_at as createdAt'])
          .where('state', '=', state);
        return (zones ? query.where('server_id', 'in', zones) : query).limit(MAX_OPEN).execute();
      });
      return (await Promise.all(found)).flat();
    },

    /** Returns the total these players have withdrawn. */
    async doneBy(playerIds: readonly number[], zones: readonly number[] | null): Promise<number> {
      // Group by state and zone instead of filtering, so that no engine picks an index on those.
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['state', 'server_id', ({ fn }) => fn.sum<number>('amount').as('total')])
        .where('player_id', 'in', playerIds)
        .groupBy(['state', 'server_id'])
        .execute();
      return rows
        .filter(({ state, server_id }) => state === 'done' && (zones?.includes(server_id) ?? true))
        .reduce((sum, { total }) => sum + Number(total), 0);
    },
  };
}

export type WithdrawalFigures = ReturnType<typeof withdrawalFigures>;
