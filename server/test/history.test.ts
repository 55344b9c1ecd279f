import { expect, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { deleteInBatches } from '../src/db/delete-in-batches.ts';
import type { Db } from '../src/db/open.ts';
import { loginRecorder } from '../src/features/history/login-recorder.ts';
import { historyStore, type LoginValues } from '../src/features/history/store.ts';
import { migrated, migratedAt, opened } from './db/opened.ts';
import { person, startForumApp } from './support/forum-app.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

const DAY_MS = 24 * 3600 * 1000;
const headers = { 'user-agent': 'Old Browser/1.0' };
const silent = { warn: () => {} };

const loginsIn = (db: Db) => db.kysely.selectFrom('player_login').selectAll().orderBy('id').execute();
const countIn = async (db: Db) => (await loginsIn(db)).length;

const values = (playerId: number, ageMs = 0): LoginValues => [
  playerId,
  ageMs,
  'login',
  null,
  null,
  '10.0.0.1',
  'x',
];

describeOnEngines('the login history', (engine) => {
  test('when a player registers, logs in, enters a game and mistypes, then each is recorded with address and browser', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 4, name: 'Four', address: '127.0.0.1', port: 1 })
      .execute();
    await expect.poll(async () => (await app.get('/api/server/list')).body.servers).toHaveLength(1);
    await app.register('wanderer');
    const address = freshAddress();
    const client = app.from(address);
    const login = (account: string, password: string) =>
      client.post('/api/login', { account, password }, { headers });

    const { body } = await login('Wanderer', PASSWORD);
    await client.post('/api/enter_game', { server_id: 4 }, { token: body.token, headers });
    expect((await login('wanderer', 'wrong-password')).status).toBe(401);
    expect((await login('nobody_here', 'wrong-password')).status).toBe(401);
    await app.db.kysely.updateTable('player').set({ status: 'banned' }).execute();
    expect((await login('wanderer', PASSWORD)).status).toBe(403);
    await app.features.history.flush();

    const rows = (await loginsIn(app.db)).map(({ id: _, ...row }) => row);
    const own = { player_id: 1, ip: address, agent: 'Old Browser/1.0', code: null, server_id: null };
    const refused = { ...own, kind: 'refused' };
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ player_id: 1, kind: 'register', code: null }),
        { ...own, at: expect.any(Number), kind: 'login' },
        { ...own, at: expect.any(Number), kind: 'enter', server_id: 4 },
        { ...refused, at: expect.any(Number), code: 'invalid_credentials' },
        { ...refused, at: expect.any(Number), code: 'account_suspended' },
      ]),
    );
    expect(rows).toHaveLength(5);
    for (const { at } of rows) expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });

  test('when a visitor comes from the forum, then the first login is a registration and the next one a forum login', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.enter(person(7, 'Seven'));
    await app.features.history.flush();
    await app.enter(person(7, 'Seven'));
    await app.features.history.flush();
    expect((await loginsIn(app.db)).map(({ kind, player_id }) => [kind, player_id])).toEqual([
      ['register', 1],
      ['forum', 1],
    ]);
  });

  test('when the service stops, then waiting logins are written first', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url);
    await app.register('goodbye1');
    await app.stop();
    expect((await loginsIn(await opened(url))).map(({ kind }) => kind)).toEqual(['register']);
  });

  test('when logins come in a burst, then they pass through the journal and all of them arrive exactly once', async () => {
    const url = await engine.freshUrl();
    const dbs = [await migratedAt(url), await opened(url)] as const;
    const dropped = vi.fn();
    const recorders = dbs.map((db) =>
      loginRecorder({ store: historyStore(db), maxWaiting: 20_000, dropped, log: silent }),
    );
    for (const [turn, { record }] of recorders.entries())
      for (let player = 1; player <= 700; player++)
        record({ playerId: turn * 700 + player, kind: 'login', address: '10.0.0.1', userAgent: undefined });
    await Promise.all(recorders.map(({ flush }) => flush()));

    await vi.waitFor(
      async () => {
        await Promise.all(recorders.map(({ flush }) => flush()));
        expect(await countIn(dbs[0])).toBe(1400);
      },
      { timeout: 60_000 },
    );
    await Promise.all(recorders.map(({ close }) => close()));
    const players = new Set((await loginsIn(dbs[0])).map(({ player_id }) => player_id));
    expect(players.size).toBe(1400);
    expect(await dbs[0].kysely.selectFrom('player_login_journal').selectAll().execute()).toEqual([]);
    expect(dropped).not.toHaveBeenCalled();
  });

  test('when a player logs in, then the player’s row has the last login, also through the journal, and never an earlier one', async () => {
    const db = await migratedAt(await engine.freshUrl());
    await db.kysely
      .insertInto('player')
      .values([1, 2, 3, 4].map((id) => ({ id, account: `player${id}`, erased_at: id === 4 ? 1 : null })))
      .execute();
    const store = historyStore(db);
    const at = (playerId: number, ageMs: number, ip: string, kind = 'login') =>
      values(playerId, ageMs).with(2, kind).with(5, ip) as LoginValues;
    await store.insertAll([at(1, 5000, '10.0.0.1'), at(1, 1000, '10.0.0.2'), at(2, 0, '10.0.0.3', 'forum')]);
    await store.insertAll([at(4, 0, '10.0.0.8')]);
    await store.insertAll([at(1, 9000, '10.0.0.4'), at(2, 0, '10.0.0.5', 'refused')]);
    await store.addToJournal([at(3, 2000, '10.0.0.6'), at(2, 60_000, '10.0.0.7')]);
    await store.moveOldest();
    const rows = await db.kysely
      .selectFrom('player')
      .select(['last_login_ip', 'login_count'])
      .select(({ eb }) => eb(db.now, '-', eb.ref('last_login_at')).as('age'))
      .orderBy('id')
      .execute();
    expect(rows.map(({ last_login_ip }) => last_login_ip)).toEqual([
      '10.0.0.2',
      '10.0.0.3',
      '10.0.0.6',
      null,
    ]);
    expect(rows.map(({ login_count }) => login_count)).toEqual([0, 0, 0, 0]);
    for (const { age } of rows) expect(age ?? 0).toBeLessThan(60_000);
  });

  test('when an instance was killed before its journal was empty, then the next one finds it', async () => {
    const url = await engine.freshUrl();
    const db = await migratedAt(url);
    await historyStore(db).addToJournal(
      Array.from({ length: 200 }, (_, index) => values(index + 1, 3 * DAY_MS)),
    );
    const app = await startTestApp(url);
    await vi.waitFor(
      async () => {
        await app.features.history.flush();
        expect(await countIn(app.db)).toBe(200);
      },
      { timeout: 60_000 },
    );
    const rows = await loginsIn(app.db);
    expect(Math.abs((rows[0]?.at ?? 0) - (Date.now() - 3 * DAY_MS))).toBeLessThan(60_000);
  });

  test('when logins are older than the retention, then they are deleted and newer ones stay', async () => {
    const app = await startTestApp(await engine.freshUrl(), { history: { retention_days: 30 } });
    const store = historyStore(app.db);
    await store.insertAll([values(1, 31 * DAY_MS), values(2, 29 * DAY_MS), values(3)]);
    expect(await deleteInBatches(app.features.history.sweeps ?? [])).toBe(1);
    expect((await loginsIn(app.db)).map(({ player_id }) => player_id)).toEqual([2, 3]);
  });

  test('when the last logins of a player are requested, then they are newest first and at most as many as requested', async () => {
    const store = historyStore(await migrated(engine));
    await store.insertAll([values(1, 3000), values(2, 2500), values(1, 2000), values(1, 1000)]);
    const entries = await store.loginsOf(1, 2);
    expect(entries).toHaveLength(2);
    expect(entries[0]?.at).toBeGreaterThan(entries[1]?.at ?? 0);
    expect(entries[0]).toMatchObject({ kind: 'login', ip: '10.0.0.1', agent: 'x', code: null });
  });
});

test('when more wait than the database accepts, then the rest is dropped and counted, and no request waits', async () => {
  const dropped = vi.fn();
  const failing = vi.fn(() => Promise.reject(new Error('no database')));
  const store = { insertAll: failing, addToJournal: failing, moveOldest: async () => false };
  const recorder = loginRecorder({ store, maxWaiting: 3, dropped, log: silent });
  for (let turn = 0; turn < 5; turn++)
    recorder.record({ playerId: 1, kind: 'login', address: '10.0.0.1', userAgent: undefined });
  expect(dropped.mock.calls).toEqual([[1], [1]]);
  await recorder.close();
  expect(dropped).toHaveBeenLastCalledWith(3);
});
