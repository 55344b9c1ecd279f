import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/open.ts';

/** Waits until the service has summed every row; what is not in the sums yet would be counted by each request. */
export async function waitForSums(url: string): Promise<void> {
  const db = await openDatabase(url);
  const { kysely } = db;
  const newest = async () => {
    const [player, login, done, failed] = await Promise.all(
      [
        kysely.selectFrom('player').select(({ fn }) => fn.max<number>('id').as('at')),
        kysely.selectFrom('player_login').select(({ fn }) => fn.max<number>('id').as('at')),
        ...['done', 'failed'].map((state) =>
          kysely
            .selectFrom('withdraw')
            .select(({ fn }) => fn.max<number>('updated_at').as('at'))
            .where('state', '=', state),
        ),
      ].map((query) => query.executeTakeFirst()),
    );
    return { player, player_login: login, withdraw_done: done, withdraw_failed: failed };
  };
  try {
    for (;;) {
      const cursors = await kysely.selectFrom('stat_cursor').selectAll().execute();
      const position = new Map(cursors.map((cursor) => [cursor.source, cursor.position]));
      const sources = Object.entries(await newest());
      if (sources.every(([source, row]) => position.get(source) === row?.at)) return;
      await sleep(1000);
    }
  } finally {
    await db.close();
  }
}
