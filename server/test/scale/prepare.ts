import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { statSources } from '../../src/features/stats/sources.ts';
import { type Position, START, statStore, summedByTime } from '../../src/features/stats/store.ts';
import { localTime } from '../../src/runtime/time.ts';
import { parseSettings } from '../../src/settings/load.ts';

const BATCH_SIZE = 4000;

/**
 * Migrates a kept database, and sums every row as the service's job does, without its pauses: rows not summed would be counted by
 * each request.
 */
export async function prepare(url: string): Promise<void> {
  const { time_zone } = parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } });
  const db = await openDatabase(url);
  const stats = statStore(db);
  const summedIn = summedByTime(time_zone);
  try {
    await migrate(db);
    for (const source of statSources(db, localTime(time_zone))) {
      await stats.addCursor(source.name, summedIn);
      let position: Position = (await stats.positions()).get(source.name) ?? START;
      for (;;) {
        const batch = await source.read(position, BATCH_SIZE);
        if (!batch || !(await stats.commit(source.name, summedIn, position, batch))) break;
        position = batch.next;
      }
    }
  } finally {
    await db.close();
  }
}
