import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { zoneStore } from '../../src/features/zones/store.ts';
import { clientFrom } from '../support/client.ts';
import type { Deployment } from './deployment.ts';

/** Each answer with the time before it was asked for and after it came, by the database's clock, from the moment of opening. */
interface Try {
  readonly before: number;
  readonly status: number;
  readonly after: number;
}

export interface Opening {
  /** How many were let in before the moment, or neither let in nor told that the zone is not open; must be 0. */
  readonly violations: {
    readonly 'entries before a zone opens': number;
    readonly 'entries that were refused otherwise': number;
  };
  /** For each instance, how long after the moment the last refused entry began, in ms; below 0 where that was before it. */
  readonly lastRefusals: readonly number[];
  /** The same of the answer to the first entry that was let in. */
  readonly firstEntries: readonly number[];
}

const ANNOUNCED_MS = 5000;
const PAUSE_MS = 20;
const SERVER_ID = 100;

/** A zone is announced and opens; on every instance somebody tries to enter all along. */
export async function watchOpening({ services, players, databaseUrl }: Deployment): Promise<Opening> {
  const db = await openDatabase(databaseUrl);
  try {
    const opens = (await databaseTime(db)) + ANNOUNCED_MS;
    const zone = { server_id: SERVER_ID, name: 'New', address: '127.0.0.1', port: 7000, opened_at: opens };
    await db.kysely.insertInto('server').values(zone).execute();
    const perInstance = await Promise.all(
      services.map(({ url }, index) => triesUntilIn({ db, url, token: players[index]?.token ?? '', opens })),
    );
    const all = perInstance.flat();
    return {
      violations: {
        'entries before a zone opens': all.filter(({ status, after }) => status === 200 && after < 0).length,
        'entries that were refused otherwise': all.filter(({ status }) => ![200, 503].includes(status))
          .length,
      },
      lastRefusals: perInstance.map((tries) => tries.at(-2)?.before ?? Number.NEGATIVE_INFINITY),
      firstEntries: perInstance.map((tries) => tries.at(-1)?.after ?? Number.POSITIVE_INFINITY),
    };
  } finally {
    await db.close();
  }
}

async function triesUntilIn(options: { db: Db; url: string; token: string; opens: number }): Promise<Try[]> {
  const { db, url, token, opens } = options;
  const client = clientFrom(url, '203.0.113.1');
  const sinceOpening = async () => (await databaseTime(db)) - opens;
  const tries: Try[] = [];
  for (let status = 0; status !== 200; await sleep(PAUSE_MS)) {
    const before = await sinceOpening();
    const answer = await client.post('/api/enter_game', { server_id: SERVER_ID }, { token });
    status = answer.status;
    // Until the instance has seen the new row it knows of no such zone.
    if (status !== 404 || tries.length > 0) tries.push({ before, status, after: await sinceOpening() });
  }
  return tries;
}

async function databaseTime(db: Db): Promise<number> {
  const { now } = await zoneStore(db).snapshot();
  if (now === undefined) throw new Error('no zone carries the time');
  return now;
}
