import type { Zone } from '@gatehouse/simulators/zone';
import { openDatabase } from '../../src/db/open.ts';
import { judge, type Violations } from '../money/judge.ts';
import type { FinalReply } from '../money/load.ts';
import { historyOf, settledRecordsOf } from '../money/records.ts';
import { readTallies } from './journal.ts';

/** Waits until every withdrawal is settled, and compares the database with what the zones really took. */
export async function judgeMoney(options: {
  databaseUrl: string;
  zones: readonly Zone[];
  replies: readonly FinalReply[];
  journalFile: string;
}): Promise<Violations> {
  const { databaseUrl, zones, replies, journalFile } = options;
  const db = await openDatabase(databaseUrl);
  try {
    const tally = readTallies(journalFile).withdraw;
    const accepted = [...tally].filter(([, { acknowledged }]) => acknowledged > 0).map(([id]) => id);
    return judge({
      records: await settledRecordsOf(db),
      journal: zones.flatMap((zone) => zone.journal()),
      replies,
      accepted: new Set(accepted),
      balances: zones.flatMap((zone) => zone.roles().map((role) => role.balance)),
      history: await historyOf(db),
    });
  } finally {
    await db.close();
  }
}
