import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changeOrRepeat, insertOrRepeat } from '../../db/unchanged.ts';

export function watchStore({ kysely, readTime }: Db) {
  return {
    now: () => readTime(),

    async read(name: string, trx: Trx | Db['kysely'] = kysely): Promise<string | undefined> {
      const row = await trx
        .selectFrom('watch_state')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.value;
    },

    /** Replaces the state that was read. If it has changed, the transaction is repeated. */
    async replace(trx: Trx, name: string, before: string | undefined, value: string): Promise<void> {
      if (before !== undefined) {
        return changeOrRepeat(
          trx.updateTable('watch_state').set({ value }).where('name', '=', name).where('value', '=', before),
        );
      }
      await insertOrRepeat(trx.insertInto('watch_state').values({ name, value }));
    },

    /** Counts the failed logins of operators after `from` and up to `to`, by name. */
    async failedLogins(trx: Trx, from: number, to: number): Promise<{ name: string; count: number }[]> {
      const rows = await trx
        .selectFrom('audit')
        .select(['actor as name', ({ fn }) => fn.countAll<number>().as('count')])
        .where('action', '=', 'operator.login_failed')
        .where('at', '>', from)
        .where('at', '<=', to)
        .groupBy('actor')
        .orderBy('actor')
        .execute();
      return rows.map(({ name, count }) => ({ name, count: Number(count) }));
    },
  };
}

export type WatchStore = ReturnType<typeof watchStore>;
