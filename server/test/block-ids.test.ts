import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { recountRegistrations } from '../src/db/day-stat.ts';
import { jobLease } from '../src/db/job-lease.ts';
import type { Db } from '../src/db/open.ts';
import { announcementAdminStore } from '../src/features/announcements/admin/store.ts';
import { codeStore } from '../src/features/codes/store.ts';
import { historyStore } from '../src/features/history/store.ts';
import { keyStore } from '../src/features/operators/admin/key-store.ts';
import { promoterStore } from '../src/features/promoters/admin/store.ts';
import { openStatsAdmin } from '../src/features/stats/admin/module.ts';
import { statSources } from '../src/features/stats/sources.ts';
import { statStore } from '../src/features/stats/store.ts';
import { startSumJob } from '../src/features/stats/sum-job.ts';
import type { Job } from '../src/runtime/job.ts';
import { localTime } from '../src/runtime/time.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated } from './db/opened.ts';

const timeZone = zoneAtNoon();
const time = localTime(timeZone);
const today = time.today().day;
const BLOCK = 30_000;

/** Ids as TiDB and Vitess assign them: each connection has its own block, so a later row may have a lower id. */
function blocks(connections: number): () => number {
  const next = Array.from({ length: connections }, (_, index) => (connections - index) * BLOCK);
  let turn = 0;
  return () => {
    const connection = turn++ % connections;
    next[connection] = (next[connection] ?? 0) + 1;
    return next[connection];
  };
}

function sumJob(db: Db, warnings: string[] = [], settleMs = 0): Job {
  return startSumJob({
    sources: statSources(db, time),
    stats: statStore(db),
    lease: jobLease(db, 'day_stat', 60_000),
    timeZone,
    settleMs,
    log: { warn: (_fields: object, message?: string) => warnings.push(message ?? '') },
  });
}

const settings = parseSettings({
  time_zone: timeZone,
  auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) },
});

async function figures(db: Db) {
  const { days } = await openStatsAdmin({ db, settings }).dashboard({ days: 1, zones: null });
  const { registrations, logins, players } = days[0] ?? expect.fail();
  return { registrations, logins, players };
}

/** Returns the sums alone, without the rows that are not in them yet. */
async function summed(db: Db) {
  const sums = await statStore(db).sums(
    ['registrations', 'logins', 'players'],
    { from: today, to: today },
    null,
  );
  return Object.fromEntries(sums.map(({ name, n }) => [name, n]));
}

describeOnEngines('ids in no order', (engine) => {
  test('when later rows have lower ids, then the figures of the day count each once', async () => {
    const db = await migrated(engine);
    const id = blocks(3);
    const job = sumJob(db);
    for (let round = 1; round <= 4; round++) {
      for (let n = 0; n < 3; n++) {
        const player = id();
        await db.kysely
          .insertInto('player')
          .values({ id: player, account: `p${player}`, created_at: db.now })
          .execute();
        await db.kysely
          .insertInto('player_login')
          .values([
            { id: id(), player_id: player, kind: 'login', at: db.now },
            { id: id(), player_id: 7, kind: 'login', at: db.now },
          ])
          .execute();
      }
      const expected = { registrations: 3 * round, logins: 6 * round, players: 3 * round + 1 };
      expect(await figures(db)).toEqual(expected);
      await job.run();
      expect(await summed(db)).toEqual(expected);
      expect(await figures(db)).toEqual(expected);
    }
    await job.close();
  });

  test('when logins wait in the journal, then no later login is summed before them', async () => {
    const db = await migrated(engine);
    const history = historyStore(db);
    const job = sumJob(db);
    const hourAgo = (await db.readTime()) - 3_600_000;
    await history.addToJournal([[1, 0, 'login', null, null, '192.0.2.1', 'x']]);
    await db.kysely.updateTable('player_login_journal').set({ created_at: hourAgo }).execute();
    await db.kysely.insertInto('player_login').values({ player_id: 2, kind: 'login' }).execute();
    await job.run();
    expect(await summed(db)).toEqual({});
    expect(await history.moveOldest()).toBe(true);
    await job.run();
    expect(await summed(db)).toEqual({ logins: 2, players: 2 });
    await job.close();
  });

  test('when a row may still become visible, then its time is not summed yet', async () => {
    const db = await migrated(engine);
    const job = sumJob(db, [], 3_600_000);
    await db.kysely.insertInto('player_login').values({ player_id: 1, kind: 'login' }).execute();
    await job.run();
    expect(await summed(db)).toEqual({});
    expect(await figures(db)).toMatchObject({ logins: 1 });
    await job.close();
  });

  test('when the database clock is set back, then the figures are counted again and miss nothing', async () => {
    const db = await migrated(engine);
    const warnings: string[] = [];
    const job = sumJob(db, warnings);
    await db.kysely.insertInto('player_login').values({ player_id: 1, kind: 'login' }).execute();
    await job.run();
    // The clock was an hour ahead when the last row was summed.
    const ahead = (await db.readTime()) + 3_600_000;
    await db.kysely
      .updateTable('stat_cursor')
      .set({ position: ahead })
      .where('source', '=', 'player_login')
      .execute();
    await db.kysely.insertInto('player_login').values({ player_id: 2, kind: 'login' }).execute();
    await job.run();
    expect(await summed(db)).toEqual({ logins: 2, players: 2 });
    expect(warnings).toEqual(['the database clock was set back: the figures are counted anew']);
    await job.close();
  });

  test('when players are imported with past times, then a batch read before them is not committed', async () => {
    const db = await migrated(engine);
    const stats = statStore(db);
    const [registrations = expect.fail()] = statSources(db, time);
    const at = (await db.readTime()) - 1000;
    await db.kysely.insertInto('player').values({ account: 'first', created_at: at }).execute();
    const job = sumJob(db);
    await job.run();
    const cursor = (await stats.positions()).get('player') ?? expect.fail();
    for (const account of ['second', 'third'])
      await db.transaction(async (trx) => {
        await trx
          .insertInto('player')
          .values({ account, created_at: at - 1000 })
          .execute();
        await recountRegistrations(db.engine, trx);
      });
    const batch = (await registrations.read({ position: 0, afterId: '' }, 10)) ?? expect.fail();
    expect(await stats.commit('player', cursor.summedIn, cursor, batch)).toBe(false);
    expect(await stats.commit('player', cursor.summedIn, { position: 0, afterId: '' }, batch)).toBe(false);
    await job.run();
    expect(await summed(db)).toEqual({ registrations: 3 });
    await job.close();
  });

  test('when version 0.2.0 has summed by id, then its sums are replaced', async () => {
    const db = await migrated(engine);
    await db.kysely
      .insertInto('player')
      .values([{ account: 'a' }, { account: 'b' }])
      .execute();
    await db.kysely
      .insertInto('stat_cursor')
      .values({ source: 'player', position: 1, time_zone: timeZone })
      .execute();
    await db.kysely.insertInto('day_stat').values({ name: 'registrations', day: today, n: 1 }).execute();
    expect(await figures(db)).toMatchObject({ registrations: 1 });
    const job = sumJob(db);
    await job.run();
    expect(await figures(db)).toMatchObject({ registrations: 2 });
    await job.close();
  });

  test('when a newer code has a lower id, then it is the valid one, and the earlier one is void', async () => {
    const db = await migrated(engine);
    const codes = codeStore(db);
    const now = await db.readTime();
    const newest = () => codes.newest('a@example.com', 'reset', '2026-01-01');
    const code = (id: number, hash: string, created_at: number) => ({
      id,
      email: 'a@example.com',
      code_hash: hash,
      purpose: 'reset',
      created_at,
      expires_at: now + 600_000,
    });
    await db.kysely
      .insertInto('verify')
      .values([code(BLOCK + 5, 'first', now - 60_000), code(5, 'second', now - 1000)])
      .execute();
    expect(await newest()).toMatchObject({ id: 5, hash: 'second' });
    await codes.voidEarlier({ email: 'a@example.com', purpose: 'reset' }, 5);
    const takeTry = (id: number) => db.transaction((trx) => codes.takeTry(trx, id, false));
    expect(await takeTry(BLOCK + 5)).toBe(false);
    expect(await takeTry(5)).toBe(true);
    // Made before the clock was set back by an hour.
    await db.kysely
      .insertInto('verify')
      .values(code(6, 'ahead', now + 3_000_000))
      .execute();
    expect(await newest()).toMatchObject({ id: 5, hash: 'second' });
  });

  test('when rows with lower ids are newer, then lists have them first, page by page', async () => {
    const db = await migrated(engine);
    const now = await db.readTime();
    const id = blocks(3);
    const rows = Array.from({ length: 7 }, (_, index) => ({
      id: id(),
      created_at: now + Math.floor(index / 2),
    }));
    const newestFirst = rows
      .toSorted((a, b) => b.created_at - a.created_at || b.id - a.id)
      .map((row) => row.id);
    await db.kysely
      .insertInto('announcement')
      .values(rows.map((row) => ({ ...row, title: 't', body: 'b' })))
      .execute();
    await db.kysely
      .insertInto('operator_key')
      .values(
        rows.map((row) => ({
          ...row,
          name: `k${row.id}`,
          key_hash: `h${row.id}`,
          role: 'viewer',
          created_by: 'x',
        })),
      )
      .execute();
    for (const store of [announcementAdminStore(db), keyStore(db)]) {
      const found: number[] = [];
      for (let before: readonly [number, number] | undefined; ; ) {
        const page = await store.list({ limit: 2, before });
        found.push(...page.map((row) => row.id));
        const last = page.at(-1);
        if (!last) break;
        before = [last.createdAt, last.id];
      }
      expect(found).toEqual(newestFirst);
    }
  });

  test('when a promoter is added, then its id is above all others and above those that players carry', async () => {
    const db = await migrated(engine);
    const promoters = promoterStore(db);
    const add = () => db.transaction((trx) => promoters.add(trx, { name: 'x', status: 'active' }));
    await db.kysely
      .insertInto('agent')
      .values({ agent_id: BLOCK + 1, name: 'high' })
      .execute();
    expect(await add()).toBe(BLOCK + 2);
    await db.kysely
      .insertInto('player')
      .values({ account: 'carrier', agent_id: BLOCK + 9 })
      .execute();
    expect(await add()).toBe(BLOCK + 10);
  });
});
