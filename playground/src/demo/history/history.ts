import type { Db } from '@gatehouse/server/db/open';
import { openRandom } from './random.ts';
import { nextPlayerId, writeStory } from './store.ts';
import { tellStory } from './story.ts';

const SEED = 20_260;

/**
 * Adds ninety days of fictional history, so that every list and chart of the console has data. Its accounts are named `demo_…`
 * and have no password; its promoters are marked as a demo.
 */
export async function addDemoHistory(db: Db, timeZone: string): Promise<void> {
  const firstId = await nextPlayerId(db);
  const story = tellStory(openRandom(SEED), { now: Date.now(), firstId });
  const dayOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  await writeStory(db, story, dayOf);
}
