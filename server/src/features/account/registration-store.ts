import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, insertedNew } from '../../db/unchanged.ts';

const REGISTRATIONS = 'registrations';

/** Counts the registrations of each day. */
export function registrationStore({ kysely }: Db) {
  return {
    /** Creates the day's counter, so that counting is one conditional update. */
    async openDay(day: string): Promise<void> {
      await insertedNew(kysely.insertInto('day_counter').values({ name: REGISTRATIONS, day, n: 0 }));
    },

    async countOf(day: string): Promise<number> {
      const row = await kysely
        .selectFrom('day_counter')
        .select('n')
        .where('name', '=', REGISTRATIONS)
        .where('day', '=', day)
        .executeTakeFirst();
      return row?.n ?? 0;
    },

    /** Counts a registration. Returns false if the day's cap is reached. */
    async count(trx: Trx, day: string, cap: number): Promise<boolean> {
      return trx
        .updateTable('day_counter')
        .set(({ eb }) => ({ n: eb('n', '+', 1) }))
        .where('name', '=', REGISTRATIONS)
        .where('day', '=', day)
        .where('n', '<', cap)
        .$call(changedOne);
    },
  };
}

export type RegistrationStore = ReturnType<typeof registrationStore>;
