import type { Db } from '../../../db/open.ts';

export interface OpenWithdrawal {
  readonly state: string;
  readonly createdAt: number;
}

/** So many are never open unless something is very wrong; then nobody counts any more. */
const MAX_OPEN = 10_000;
/** So many players are asked about at once. */
export const MAX_PLAYERS = 500;

/** What the figures need of withdrawals beside their sums. */
export function withdrawalFigures({ kysely }: Db) {
  return {
    /** Those that are not settled. */
    open(zones: readonly number[] | null): Promise<OpenWithdrawal[]> {
      let query = kysely
        .selectFrom('withdraw')
        .select(['state', 'created_at as createdAt'])
        .where('state', 'in', ['accepted', 'sending', 'unknown']);
      if (zones) query = query.where('server_id', 'in', zones);
      return query.limit(MAX_OPEN).execute();
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
