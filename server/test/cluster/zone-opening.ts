import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { zoneStore } from '../../src/features/zones/store.ts';
import { clientFrom } from '../support/client.ts';
import type { Deployment } from './deployment.ts';

/** An answer, with the database clock before the request and after the answer, relative to the opening. */
interface Try {
  readonly before: number;
  readonly status: number;
  readonly after: number;
}

export interface Opening {
  /** How many entered early, or were refused for another reason than that the zone is closed; must be 0. */
  readonly violations: {
    readonly 'entries before a zone opens': number;
    readonly 'entries that were refused otherwise': number;
  };
  /** Per instance: when the last refused entry began, in ms after the opening; negative if before. */
  readonly lastRefusals: readonly number[];
  /** Same for the answer to the first successful entry. */
  readonly firstEntries: readonly number[];
}

const ANNOUNCED_MS = 5000;
const PAUSE_MS = 20;
const SERVER_ID = 100;

/** Announces a zone that opens soon, and tries to enter on every instance until admitted. */
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
    // Until the instance has read the new row it answers 404.
    if (status !== 404 || tries.length > 0) tries.push({ before, status, after: await sinceOpening() });
  }
  return tries;
}

async function databaseTime(db: Db): Promise<number> {
  const { now } = await zoneStore(db).snapshot();
  if (now === undefined) throw new Error('no zone carries the time');
  return now;
}
