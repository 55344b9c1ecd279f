import { expect, onTestFinished, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import type { Db } from '../src/db/open.ts';
import { zoneStore } from '../src/features/zones/store.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const zone = { address: '10.1.1.1', port: 7000 };

/** Shifts this machine's clock, but not the database's. */
function shiftClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms, shouldAdvanceTime: true });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

async function databaseTime(db: Db): Promise<number> {
  return (await zoneStore(db).snapshot()).now ?? expect.fail('no zone carries the time');
}

/** Tries to enter until admitted. Returns the database time before and after the entry. */
async function enterWhenOpen(app: TestApp, server_id: number, token: string) {
  for (;;) {
    const before = await databaseTime(app.db);
    const { status } = await app.post('/api/enter_game', { server_id }, { token });
    if (status === 200) return { before, after: await databaseTime(app.db) };
    expect(status).toBe(503);
  }
}

const listed = async (app: TestApp, id: number) =>
  (await app.get('/api/server/list')).body.servers.find(
    (each: { server_id: number }) => each.server_id === id,
  );

describeByTier('scheduled changes of zones', (engine) => {
  test.each([-20_000, 20_000])(
    'when a zone is to open or a maintenance to end, then it does so by the database’s clock, on an instance whose own is %i ms off',
    async (offset) => {
      const app = await startTestApp(await engine.freshUrl());
      const { kysely } = app.db;
      const { token } = await app.register('early_bird');
      shiftClock(offset);
      await kysely
        .insertInto('server')
        .values({ ...zone, server_id: 3, name: 'three' })
        .execute();
      const HOUR_MS = 3_600_000;
      const later = (await databaseTime(app.db)) + HOUR_MS;
      await kysely
        .insertInto('server')
        .values([
          { ...zone, server_id: 1, name: 'one', opened_at: later, status: 'open' },
          { ...zone, server_id: 2, name: 'two', opened_at: null, status: 'open' },
        ])
        .execute();
      const maintenance = { status: 'maintenance', message: 'back soon', maintenance_until: later };
      await kysely.updateTable('server').set(maintenance).where('server_id', '=', 2).execute();
      const until = new Date(later).toISOString();
      await expect
        .poll(() => listed(app, 2))
        .toMatchObject({ status: 'maintenance', message: 'back soon', maintenance_until: until });

      expect(await listed(app, 1)).toMatchObject({ status: 'new', opened_at: until });
      const before = await databaseTime(app.db);
      const refused = await app.post('/api/enter_game', { server_id: 2 }, { token });
      const after = await databaseTime(app.db);
      expect([refused.status, refused.body.code, refused.body.until]).toEqual([503, 'server_closed', until]);
      const retryAfterMs = Number(refused.headers.get('retry-after')) * 1000;
      // Nearer to the database's clock than to this machine's.
      expect(retryAfterMs).toBeGreaterThan(later - after - 10_000);
      expect(retryAfterMs).toBeLessThan(later - before + 10_000);

      const opens = (await databaseTime(app.db)) + 2000;
      const ends = opens + 500;
      await kysely.updateTable('server').set({ opened_at: opens }).where('server_id', '=', 1).execute();
      await kysely
        .updateTable('server')
        .set({ maintenance_until: ends })
        .where('server_id', '=', 2)
        .execute();
      const opened = await enterWhenOpen(app, 1, token);
      expect(opened.after).toBeGreaterThanOrEqual(opens);
      const ended = await enterWhenOpen(app, 2, token);
      expect(ended.after).toBeGreaterThanOrEqual(ends);

      await vi.waitFor(async () => {
        expect(await listed(app, 1)).toMatchObject({ status: 'open' });
        expect(await listed(app, 2)).not.toHaveProperty('maintenance_until');
        const row = await kysely
          .selectFrom('server')
          .select(['status', 'maintenance_until'])
          .where('server_id', '=', 2)
          .executeTakeFirst();
        expect(row).toEqual({ status: 'open', maintenance_until: null });
      }, 40_000);
    },
  );
});

test('when game ports are closed, then only zones that players may enter count as down', async () => {
  const app = await startTestApp(freshSqlite(), {
    zones: { probe_interval: 1 },
  });
  const closed = { address: '127.0.0.1', port: await freePort() };
  await app.db.kysely
    .insertInto('server')
    .values([
      { server_id: 1, name: 'Gone', ...closed, status: 'new', merged_into: null },
      { server_id: 2, name: 'Merged', ...closed, status: 'new', merged_into: 1 },
      { server_id: 3, name: 'Resting', ...closed, status: 'maintenance', merged_into: null },
    ])
    .execute();
  const { zones } = app.features;
  // One round probes all zones.
  await expect.poll(() => zones.down(null)).toBeGreaterThan(0);
  expect(zones.down(null)).toBe(1);
  expect(zones.down([3])).toBe(0);
});
