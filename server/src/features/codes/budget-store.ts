import { deleteOldest } from '../../db/delete-in-batches.ts';
import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';

export type BudgetStore = ReturnType<typeof budgetStore>;

/** Wrong codes by day and e-mail address, in the database: they outlive codes and restarts, and all instances share them. */
export function budgetStore(db: Db) {
  const { kysely } = db;
  async function increment(day: string, email: string, limit: number): Promise<boolean> {
    const { numUpdatedRows } = await kysely
      .updateTable('wrong_code')
      .set(({ eb }) => ({ n: eb('n', '+', 1) }))
      .where('day', '=', day)
      .where('email', '=', email)
      .where('n', '<', limit)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  return {
    /** Counts one, unless the limit is reached. */
    async take(day: string, email: string, limit: number): Promise<boolean> {
      if (await increment(day, email, limit)) return true;
      try {
        await kysely.insertInto('wrong_code').values({ day, email, n: 1 }).execute();
        return true;
      } catch (error) {
        if (classify(error) !== 'duplicate') throw error;
        return increment(day, email, limit);
      }
    },

    async giveBack(day: string, email: string): Promise<void> {
      await kysely
        .updateTable('wrong_code')
        .set(({ eb }) => ({ n: eb('n', '-', 1) }))
        .where('day', '=', day)
        .where('email', '=', email)
        .execute();
    },

    async counted(day: string, email: string): Promise<number> {
      const row = await kysely
        .selectFrom('wrong_code')
        .select('n')
        .where('day', '=', day)
        .where('email', '=', email)
        .executeTakeFirst();
      return row?.n ?? 0;
    },

    deleteBefore: (day: string, limit: number) =>
      deleteOldest(db, { table: 'wrong_code', key: ['day', 'email'], column: 'day', before: day, limit }),
  };
}
