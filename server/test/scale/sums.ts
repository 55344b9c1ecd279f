import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/open.ts';

const SOURCES = 4;

/** The figures are summed in the background; how long it takes is told, not timed. */
export async function waitForSums(url: string): Promise<void> {
  const db = await openDatabase(url);
  const newest = async (table: 'player' | 'player_login') => {
    const row = await db.kysely
      .selectFrom(table)
      .select(({ fn }) => fn.max<number>('id').as('id'))
      .executeTakeFirst();
    return row?.id;
  };
  try {
    for (;;) {
      const cursors = await db.kysely.selectFrom('stat_cursor').selectAll().execute();
      const at = new Map(cursors.map(({ source, position }) => [source, position]));
      const isSummed = async (table: 'player' | 'player_login') => at.get(table) === (await newest(table));
      if ((await isSummed('player')) && (await isSummed('player_login')) && at.size === SOURCES) return;
      await sleep(1000);
    }
  } finally {
    await db.close();
  }
}
