import { deleteOldest } from '../../db/delete-in-batches.ts';
import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';

/** The user of the budget: the account's usual addresses, or all others. */
export type BudgetColumn = 'n' | 'usual_n';

export type BudgetStore = ReturnType<typeof budgetStore>;

/** The wrong tries of one day at the codes of one e-mail address. */
export interface Budget {
  readonly day: string;
  readonly email: string;
  readonly column: BudgetColumn;
}

/**
 * Counts wrong codes by day and e-mail address in the database: they outlive codes and restarts, and all instances share them.
 */
export function budgetStore(db: Db) {
  const { kysely } = db;
  async function increment({ day, email, column }: Budget, limit: number): Promise<boolean> {
    const { numUpdatedRows } = await kysely
      .updateTable('wrong_code')
      .set(({ eb }) => ({ [column]: eb(column, '+', 1) }))
      .where('day', '=', day)
      .where('email', '=', email)
      .where(column, '<', limit)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  return {
    /** Counts one try. Returns false if the limit is reached. */
    async take(budget: Budget, limit: number): Promise<boolean> {
      if (await increment(budget, limit)) return true;
      const { day, email, column } = budget;
      try {
        await kysely
          .insertInto('wrong_code')
          .values({ day, email, n: 0, [column]: 1 })
          .execute();
        return true;
      } catch (error) {
        if (classify(error) !== 'duplicate') throw error;
        return increment(budget, limit);
      }
    },

    async giveBack({ day, email, column }: Budget): Promise<void> {
      await kysely
        .updateTable('wrong_code')
        .set(({ eb }) => ({ [column]: eb(column, '-', 1) }))
        .where('day', '=', day)
        .where('email', '=', email)
        .execute();
    },

    async counted({ day, email, column }: Budget): Promise<number> {
      const row = await kysely
        .selectFrom('wrong_code')
        .select(`${column} as n`)
        .where('day', '=', day)
        .where('email', '=', email)
        .executeTakeFirst();
      return row?.n ?? 0;
    },

    /** Records that the owner was notified. Returns false if that was done before. */
    async markTold({ day, email }: Budget): Promise<boolean> {
      const { numUpdatedRows } = await kysely
        .updateTable('wrong_code')
        .set({ told: 1 })
        .where('day', '=', day)
        .where('email', '=', email)
        .where('told', '=', 0)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    deleteBefore: (day: string, limit: number) =>
      deleteOldest(db, { table: 'wrong_code', key: ['day', 'email'], column: 'day', before: day, limit }),
  };
}
