import { expect, test } from 'vitest';
import { describeByTier, freshMariadbUrl } from '../../test-support/engines.ts';
import { openControlAdmin } from '../src/features/controls/admin/module.ts';
import { parseSettings } from '../src/settings/load.ts';
import { startProxy } from './db/proxy.ts';
import { auditRows } from './support/audit.ts';
import { freshAddress, startTestApp, type TestApp } from './support/test-app.ts';

const olga = { name: 'olga', via: 'cli' } as const;
const base = parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } });
const adminOf = ({ db }: Pick<TestApp, 'db'>) => openControlAdmin({ db, base: () => base });
const DAY_MS = 86_400_000;

/** Returns whether players may register and withdraw. */
async function offered(app: Pick<TestApp, 'get'>) {
  const { registration, withdraw } = (await app.get('/api/config')).body;
  return { register: registration.open, withdraw: withdraw.enabled };
}

const statusFrom = async (app: TestApp, address: string) =>
  (await app.from(address).get('/api/server/list')).status;

describeByTier('controls', (engine) => {
  test('when a setting is overridden, then it applies until it is cleared or ends, as if the file said so', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const admin = adminOf(app);
    await admin.set(olga, { name: 'day_max_reg', value: 0 });
    await admin.set(olga, { name: 'withdraw.enabled', value: false, until: Date.now() + DAY_MS });
    await expect.poll(() => offered(app)).toEqual({ register: false, withdraw: false });
    const form = {
      account: 'latecomer',
      password: 'Correct-Horse-42',
      email: 'l@example.com',
      code: '123456',
    };
    expect((await app.post('/api/register', form)).body).toMatchObject({ code: 'registration_cap_reached' });

    await admin.clear(olga, { name: 'day_max_reg' });
    await expect.poll(() => offered(app)).toEqual({ register: true, withdraw: false });
    // The database clock reaches the end.
    await app.db.kysely.updateTable('control').set({ until: 1 }).execute();
    await expect.poll(() => offered(app)).toEqual({ register: true, withdraw: true });
    const { controls } = await admin.list();
    expect(controls.map(({ name, setting, override }) => [name, setting, override])).toEqual([
      ['day_max_reg', 1000, undefined],
      ['withdraw.enabled', true, undefined],
    ]);
  });

  test('when addresses are denied, then every request from there is refused until the entry is removed', async () => {
    const app = await startTestApp(await engine.freshUrl(), { deny_ip: ['203.0.113.1'] });
    const admin = adminOf(app);
    const [one, two] = [freshAddress(), freshAddress()];
    const { id } = await admin.deny(olga, { entry: ` ${one} `, reason: 'bots' });
    await admin.deny(olga, { entry: `${two}/32`, until: Date.now() + DAY_MS });
    await expect.poll(() => statusFrom(app, one)).toBe(403);
    await expect.poll(() => statusFrom(app, two)).toBe(403);
    expect((await app.from(one).get('/login')).body).toMatchObject({ code: 'address_denied' });
    expect(await statusFrom(app, '203.0.113.1')).toBe(403);

    await admin.allow(olga, { id });
    await expect.poll(() => statusFrom(app, one)).toBe(200);
    expect((await admin.list()).denied).toMatchObject([{ entry: `${two}/32`, by: 'olga', reason: null }]);
    await app.db.kysely.updateTable('deny_entry').set({ until: 1 }).execute();
    await expect.poll(() => statusFrom(app, two)).toBe(200);
    expect(await statusFrom(app, '203.0.113.1')).toBe(403);
    expect((await admin.list()).denied).toEqual([]);
    // The next entry deletes those that have ended.
    await admin.deny(olga, { entry: '198.51.100.0/24' });
    expect(await app.db.kysely.selectFrom('deny_entry').select('entry').execute()).toHaveLength(1);
  });

  test('when the service restarts, then overrides are in force from its first answer on', async () => {
    const url = await engine.freshUrl();
    const first = await startTestApp(url);
    const denied = freshAddress();
    await adminOf(first).set(olga, { name: 'withdraw.enabled', value: false });
    await adminOf(first).deny(olga, { entry: denied });
    await first.stop();
    const second = await startTestApp(url);
    expect(await statusFrom(second, denied)).toBe(403);
    expect(await offered(second)).toEqual({ register: true, withdraw: false });
  });

  test('when a change is made, then who, why, before and after are stored; when it is refused, nothing is', async () => {
    const { db } = await startTestApp(await engine.freshUrl());
    const admin = adminOf({ db });
    const until = Date.now() + DAY_MS;
    await admin.set(olga, { name: 'day_max_reg', value: 5, reason: 'flood' });
    await admin.set(olga, { name: 'day_max_reg', value: 5, reason: 'the same again' });
    await admin.set(olga, { name: 'day_max_reg', value: 9, until });
    await admin.clear(olga, { name: 'day_max_reg', reason: 'over' });
    const { id } = await admin.deny(olga, { entry: '2001:db8::/32', reason: 'bots' });
    await admin.allow(olga, { id, reason: 'sorry' });

    const end = new Date(until).toISOString();
    const control = { subject_kind: 'control', subject_id: 'day_max_reg' };
    const entry = { subject_kind: 'deny_entry', subject_id: String(id) };
    const rows = (await auditRows(db)).map((row) => ({
      ...row,
      before: row.before && JSON.parse(row.before),
      after: row.after && JSON.parse(row.after),
    }));
    const expected = [
      { ...control, action: 'control.set', reason: 'flood', before: { value: null }, after: { value: 5 } },
      {
        ...control,
        action: 'control.set',
        reason: null,
        before: { value: 5, until: null },
        after: { value: 9, until: end },
      },
      { ...control, action: 'control.clear', reason: 'over', before: { value: 9, until: end }, after: null },
      { ...entry, action: 'deny.add', before: null, after: { entry: '2001:db8::/32', until: null } },
      { ...entry, action: 'deny.remove', before: { entry: '2001:db8::/32', until: null }, after: null },
    ];
    expect(rows).toHaveLength(expected.length);
    for (const row of expected) expect(rows).toContainEqual(expect.objectContaining(row));

    const refused = [
      [() => admin.set(olga, { name: 'port', value: 1 }), 'not_found'],
      [() => admin.set(olga, { name: 'deny_ip', value: [] }), 'not_found'],
      [() => admin.set(olga, { name: 'day_max_reg', value: -1 }), 'invalid_request'],
      [() => admin.set(olga, { name: 'day_max_reg', value: true }), 'invalid_request'],
      [() => admin.set(olga, { name: 'withdraw.enabled', value: 0 }), 'invalid_request'],
      [
        () => admin.set(olga, { name: 'day_max_reg', value: 1, until: Date.now() - 60_000 }),
        'invalid_request',
      ],
      [() => admin.clear(olga, { name: 'day_max_reg' }), 'not_found'],
      [() => admin.clear(olga, { name: 'port' }), 'not_found'],
      [() => admin.allow(olga, { id }), 'not_found'],
      [() => admin.deny(olga, { entry: 'example.com' }), 'invalid_request'],
      [() => admin.deny(olga, { entry: '10.0.0.9-10.0.0.1' }), 'invalid_request'],
      [() => admin.deny({ ...olga, ip: '203.0.113.9' }, { entry: '203.0.113.0/24' }), 'would_lock_out'],
    ] as const;
    for (const [change, code] of refused) await expect(change()).rejects.toMatchObject({ code });
    expect(await auditRows(db)).toHaveLength(expected.length);
  });

  test('when several operators set one control concurrently, then one value remains and each change has its row', async () => {
    const { db } = await startTestApp(await engine.freshUrl());
    const admin = adminOf({ db });
    await Promise.all([1, 2, 3, 4].map((value) => admin.set(olga, { name: 'day_max_reg', value })));
    expect(await db.kysely.selectFrom('control').selectAll().execute()).toHaveLength(1);
    expect(await auditRows(db)).toHaveLength(4);
  });
});

test('when two instances share a database, then an override made on one applies on the other', async () => {
  const url = await freshMariadbUrl();
  const [one, other] = [await startTestApp(url), await startTestApp(url)];
  const denied = freshAddress();
  await adminOf(one).set(olga, { name: 'day_max_reg', value: 0 });
  const { id } = await adminOf(one).deny(olga, { entry: denied });
  await expect.poll(() => offered(other)).toEqual({ register: false, withdraw: true });
  await expect.poll(() => statusFrom(other, denied)).toBe(403);
  await adminOf(other).allow(olga, { id });
  await expect.poll(() => statusFrom(one, denied)).toBe(200);
});

test('when the database is unreachable, then the last overrides stay in force', async () => {
  const proxy = await startProxy(await freshMariadbUrl());
  const app = await startTestApp(proxy.url);
  const denied = freshAddress();
  await adminOf(app).set(olga, { name: 'withdraw.enabled', value: false });
  await adminOf(app).deny(olga, { entry: denied });
  await expect.poll(() => statusFrom(app, denied)).toBe(403);
  // Controls and entries are read by two statements.
  await expect.poll(() => offered(app)).toEqual({ register: true, withdraw: false });
  await proxy.stop();
  await expect.poll(async () => (await app.get('/api/health/ready')).status).toBe(503);
  expect(await statusFrom(app, denied)).toBe(403);
  expect(await offered(app)).toEqual({ register: true, withdraw: false });
});
