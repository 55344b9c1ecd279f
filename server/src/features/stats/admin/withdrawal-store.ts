import type { Db } from '../../../db/open.ts';

export interface OpenWithdrawal {
  readonly state: string;
  readonly createdAt: number;
}

const OPEN_STATES = ['accepted', 'sending', 'unknown'];
/** So many are never open unless something is very wrong; then nobody counts any more. */
const MAX_OPEN = 10_000;
/** So many players are asked about at once. */
export const MAX_PLAYERS = 500;

/** What the figures need of withdrawals beside their sums. */
export function withdrawalFigures({ kysely }: Db) {
  return {
    /** Those that are not settled. A query for each state: for several at once SQLite may look at every row. */
    async open(zones: readonly number[] | null): Promise<OpenWithdrawal[]> {
      const found = OPEN_STATES.map((state) => {
        const query = kysely
          .selectFrom('withdraw')
          .select(['state', 'created_at as createdAt'])
          .where('state', '=', state);
        return (zones ? query.where('server_id', 'in', zones) : query).limit(MAX_OPEN).execute();
      });
      return (await Promise.all(found)).flat();
    },

    /** What these players have withdrawn, all together. */
    async doneBy(playerIds: readonly number[], zones: readonly number[] | null): Promise<number> {
      // Counted by state and zone instead of asked for, so that no engine looks for them by those.
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
