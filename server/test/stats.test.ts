import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { jobLease } from '../src/db/job-lease.ts';
import type { Db } from '../src/db/open.ts';
import { openStatsAdmin } from '../src/features/stats/admin/module.ts';
import { statSources } from '../src/features/stats/sources.ts';
import { statStore } from '../src/features/stats/store.ts';
import { startSumJob } from '../src/features/stats/sum-job.ts';
import type { Job } from '../src/runtime/job.ts';
import { localTime } from '../src/runtime/time.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated, migratedAt, opened } from './db/opened.ts';

const time_zone = zoneAtNoon();
const time = localTime(time_zone);
const [week = ''] = time.lastDays(8);
const [, before = '', yesterday = '', today = ''] = time.lastDays(4);
const at = (day: string, hour = 1) => time.spanOf(day).from + hour * 3_600_000;
const settingsIn = (zone: string) =>
  parseSettings({ time_zone: zone, auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } });
const admin = (db: Db, zone = time_zone) => openStatsAdmin({ db, settings: settingsIn(zone) });
const log = { warn: (_fields: object, message?: string) => expect.fail(message) };

function jobOn(db: Db, timeZone = time_zone, stats = statStore(db)): Job {
  return startSumJob({
    sources: statSources(db, localTime(timeZone)),
    stats,
    lease: jobLease(db, 'day_stat', 60_000),
    timeZone,
    settleMs: 0,
    log,
  });
}

const sum = (job: Job): Promise<void> => job.run();

const player = (account: string, day: string, extra: object = {}) => ({
  account,
  created_at: at(day),
  ...extra,
});
const login = (player_id: number, day: string, extra: object = {}) => ({
  player_id,
  kind: 'login',
  at: at(day, 5),
  ...extra,
});
const withdrawal = (id: string, state: string, day: string, extra: object = {}) => ({
  id,
  player_id: 1,
  server_id: 1,
  amount: 10,
  state,
  created_at: at(day),
  ...extra,
});

async function fill({ kysely }: Db): Promise<void> {
  await kysely
    .insertInto('player')
    .values([
      player('ann', yesterday, { server_id: 1, agent_id: 7, ip: '203.0.113.5', last_server_id: 2 }),
      player('bob', yesterday, { server_id: 2, agent_id: 7, ip: '203.0.113.9' }),
      player('cid', today, { ip: '2001:db8:0:5::1' }),
    ])
    .execute();
  await kysely
    .insertInto('player_login')
    .values([
      login(1, yesterday),
      login(1, yesterday, { at: at(yesterday, 9) }),
      login(1, today),
      login(2, today, { kind: 'forum' }),
      login(2, today, { kind: 'refused', code: 'invalid_credentials' }),
      login(2, today, { kind: 'register' }),
      login(1, today, { kind: 'enter', server_id: 2 }),
    ])
    .execute();
  await kysely
    .insertInto('withdraw')
    .values([
      withdrawal('a', 'done', yesterday),
      withdrawal('b', 'done', yesterday, { server_id: 2, amount: 5 }),
      withdrawal('c', 'failed', today),
      withdrawal('d', 'refused', today),
      withdrawal('e', 'unknown', today, { server_id: 2 }),
      withdrawal('f', 'sending', today),
    ])
    .execute();
}

const nothing = {
  registrations: 0,
  logins: 0,
  players: 0,
  entries: 0,
  withdrawn: { done: 0, amount: 0, failed: 0, unknown: 0 },
  legacy_checks: 0,
};
const filled = [
  { ...nothing, day: before },
  {
    ...nothing,
    day: yesterday,
    registrations: 2,
    logins: 2,
    players: 1,
    withdrawn: { done: 2, amount: 15, failed: 0, unknown: 0 },
  },
  {
    ...nothing,
    day: today,
    registrations: 1,
    logins: 2,
    players: 2,
    entries: 1,
    withdrawn: { done: 0, amount: 0, failed: 1, unknown: 1 },
  },
];

describeOnEngines('daily figures', (engine) => {
  test('when it is noon, then later hours of yesterday count for the day but not for the comparison', async () => {
    const db = await migrated(engine);
    await db.kysely
      .insertInto('player_login')
      .values([
        login(1, yesterday),
        login(1, yesterday, { at: at(yesterday, 20) }),
        login(2, yesterday, { at: at(yesterday, 20) }),
      ])
      .execute();
    const { dashboard } = admin(db);
    const compared = async () => {
      const { days, so_far } = await dashboard({ days: 2, zones: null });
      return { day: days[0], soFar: so_far?.days.find(({ day }) => day === yesterday) };
    };
    const expected = { day: { logins: 3, players: 2 }, soFar: { logins: 1, players: 1 } };
    expect(await compared()).toMatchObject(expected);
    const job = jobOn(db);
    await sum(job);
    await job.close();
    expect(await compared()).toMatchObject(expected);

    // As summed by a version that knew no hours.
    await db.kysely.deleteFrom('day_stat').where('name', '=', 'logins_by_hour').execute();
    expect((await compared()).soFar).toBeUndefined();
  });

  test('when rows are summed or not yet, then the dashboard shows the same figures, also by zone', async () => {
    const db = await migrated(engine);
    await fill(db);
    const { dashboard } = admin(db);
    const now = { cap: 1000, withdrawals_open: 2, withdrawals_unknown: 1, zones_down: 0 };

    const unsummed = await dashboard({ days: 3, zones: null });
    const { so_far, ...figures } = unsummed;
    expect(figures).toEqual({ days: filled, now: { ...now, registrations: 0 } });
    // It is about noon, and all rows are of earlier hours.
    expect(so_far?.days).toEqual([
      { day: today, registrations: 1, logins: 2, players: 2, entries: 1, withdrawn: 0 },
      { day: yesterday, registrations: 2, logins: 2, players: 1, entries: 0, withdrawn: 15 },
      { day: week, registrations: 0, logins: 0, players: 0, entries: 0, withdrawn: 0 },
    ]);
    const job = jobOn(db);
    await sum(job);
    expect(await dashboard({ days: 3, zones: null })).toEqual(unsummed);
    await db.kysely
      .insertInto('player_login')
      .values([login(1, today, { at: db.now }), login(3, today, { at: db.now })])
      .execute();
    await db.kysely
      .updateTable('withdraw')
      .set({ state: 'done', updated_at: db.now })
      .where('id', '=', 'e')
      .execute();
    const tail = await dashboard({ days: 1, zones: null });
    expect(tail.days[0]).toMatchObject({
      logins: 4,
      players: 3,
      withdrawn: { done: 1, amount: 10, unknown: 0 },
    });
    await sum(job);
    expect((await dashboard({ days: 1, zones: null })).days).toEqual(tail.days);
    await job.close();

    const ofTwo = await dashboard({ days: 2, zones: [2] });
    expect(ofTwo.days[0]).toMatchObject({
      registrations: 1,
      logins: 2,
      players: 1,
      withdrawn: { done: 1, amount: 5 },
    });
    expect(ofTwo.days[1]).toMatchObject({ registrations: 0, entries: 1, withdrawn: { done: 1, failed: 0 } });
    expect(ofTwo.now).toMatchObject({ registrations: 0, withdrawals_open: 0 });
    expect((await dashboard({ days: 90, zones: [99] })).days).toHaveLength(90);
  });

  test('when several instances sum the same rows, and some stop half way, then each row counts once', async () => {
    const url = await engine.freshUrl();
    const dbs = [await migratedAt(url), await opened(url)] as const;
    const accounts = Array.from({ length: 5000 }, (_, index) =>
      player(`p${index}`, yesterday, { server_id: 1 }),
    );
    for (let start = 0; start < accounts.length; start += 1000)
      await dbs[0].kysely
        .insertInto('player')
        .values(accounts.slice(start, start + 1000))
        .execute();

    const stats = statStore(dbs[0]);
    const stopped = jobOn(dbs[0], time_zone, {
      ...stats,
      async commit(...batch) {
        void stopped.close();
        return stats.commit(...batch);
      },
    });
    await sum(stopped);
    const sums = () => stats.sums(['registrations'], { from: yesterday, to: today }, null);
    expect((await sums())[0]?.n).toBe(4000);
    const unleased = { hold: async () => true, release: async () => {} };
    const jobs = dbs.map((db) =>
      startSumJob({
        sources: statSources(db, time),
        stats: statStore(db),
        lease: unleased,
        timeZone: time_zone,
        settleMs: 0,
        log,
      }),
    );
    await Promise.all(jobs.map(sum));
    await expect
      .poll(async () => {
        await Promise.all(jobs.map(sum));
        return sums();
      })
      .toEqual([{ name: 'registrations', day: yesterday, part: 0, n: 5000 }]);
    expect((await admin(dbs[0]).dashboard({ days: 2, zones: null })).days[0]?.registrations).toBe(5000);
    await Promise.all(jobs.map(({ close }) => close()));
  });

  test('when an instance holds the lease, then no other sums until it is released or expires', async () => {
    const url = await engine.freshUrl();
    const dbs = [await migratedAt(url), await opened(url)] as const;
    const [first, second] = [jobLease(dbs[0], 'x', 60_000), jobLease(dbs[1], 'x', 60_000)];
    expect(await first.hold()).toBe(true);
    expect(await second.hold()).toBe(false);
    expect(await first.hold()).toBe(true);
    await first.release();
    expect(await second.hold()).toBe(true);
    await dbs[0].kysely.updateTable('job_lease').set({ expires_at: 1 }).execute();
    expect(await first.hold()).toBe(true);
  });

  test('when the time zone changes, then the days are counted again', async () => {
    const db = await migrated(engine);
    await db.kysely
      .insertInto('player')
      .values({ account: 'eve', created_at: at(yesterday, 0) + 1 })
      .execute();
    const first = jobOn(db);
    await sum(first);
    await first.close();
    // One hour further west, the previous day has not ended yet.
    const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(time_zone) ?? [];
    const west = Number(`${sign}${hours}`) + 1;
    const elsewhere = `Etc/GMT${west < 0 ? '' : '+'}${west}`;
    const second = jobOn(db, elsewhere);
    await sum(second);
    await second.close();
    const days = (await admin(db, elsewhere).dashboard({ days: 4, zones: null })).days;
    expect(days.filter(({ registrations }) => registrations > 0).map(({ day }) => day)).toEqual([before]);
  });

  test('when the registrations of a day are read, then hours, promoters and blocks add up', async () => {
    const db = await migrated(engine);
    await fill(db);
    await db.kysely.insertInto('agent').values({ agent_id: 7, name: 'Zhang' }).execute();
    const job = jobOn(db);
    await sum(job);
    await job.close();
    const { registrations } = admin(db);
    const by_hour = Array(24).fill(0);
    by_hour[1] = 2;
    expect(await registrations({ day: yesterday, zones: null, personal: true })).toEqual({
      day: yesterday,
      cap: 1000,
      count: 2,
      by_hour,
      by_promoter: [{ agent_id: 7, name: 'Zhang', count: 2 }],
      by_block: [{ block: '203.0.113.0/24', count: 2 }],
    });
    expect(await registrations({ day: undefined, zones: null, personal: true })).toMatchObject({
      day: today,
      count: 1,
      by_promoter: [{ agent_id: null, name: null, count: 1 }],
      by_block: [{ block: '2001:db8:0:5::/64', count: 1 }],
    });
    expect(await registrations({ day: yesterday, zones: [2], personal: false })).toMatchObject({
      count: 1,
      by_block: [],
    });
    await expect(registrations({ day: '2026-02-31', zones: null, personal: true })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('when a promoter’s figures are read, then they are of the players registered in the span', async () => {
    const db = await migrated(engine);
    await fill(db);
    const { figuresOfPromoter } = admin(db);
    const span = { from: time.spanOf(yesterday).from, to: time.spanOf(yesterday).to };
    expect(await figuresOfPromoter(7, span, null)).toEqual({
      registrations: 2,
      entered: 1,
      returned: 2,
      addresses: 2,
      withdrawn: 15,
    });
    expect(await figuresOfPromoter(7, span, [1])).toMatchObject({ registrations: 1, withdrawn: 10 });
    expect(await figuresOfPromoter(7, { from: span.to, to: span.to + 1 }, null)).toMatchObject({
      registrations: 0,
      withdrawn: 0,
    });
    const many = Array.from({ length: 1100 }, (_, index) =>
      player(`m${index}`, before, { agent_id: 8, ip: `10.0.${index >> 8}.${index & 255}` }),
    );
    await db.kysely.insertInto('player').values(many).execute();
    expect(await figuresOfPromoter(8, { from: at(before, 0), to: at(before, 2) }, null)).toEqual({
      registrations: 1100,
      entered: 0,
      returned: 0,
      addresses: 1100,
      withdrawn: 0,
    });
  });
});
