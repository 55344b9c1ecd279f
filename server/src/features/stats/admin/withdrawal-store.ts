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
      let query = kysely
        .selectFrom('withdraw')
        .select(({ fn }) => fn.sum<number | null>('amount').as('total'))
        .where('player_id', 'in', playerIds)
        .where('state', '=', 'done');
      if (zones) query = query.where('server_id', 'in', zones);
      const row = await query.executeTakeFirst();
      return Number(row?.total ?? 0);
    },
  };
}

export type WithdrawalFigures = ReturnType<typeof withdrawalFigures>;
