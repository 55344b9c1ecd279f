import { expect, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCli } from '../../test-support/gatehouse.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { migratedAt } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { addUnknown } from './support/withdraw-rows.ts';

const relaxed = { console: { require_totp: false } };
const secretUrl = 'mysql://game:se@cret@db.example:3306';
const gmUrl = 'http://gm:pass@gm.example/command?key=geheim';
/** Makes the service read the file. */
const files = [
  { database_url: 'mysql://u:p@10.0.0.5:3306?tls=true&ca=/dev/zero' },
  { database_url: 'sqlite:/var/lib/other' },
];
const one = { server_id: 1, name: 'one', address: '10.1.1.1', port: 7001 };

const rowOf = ({ db }: TestApp, id: number) =>
  db.kysely.selectFrom('server').selectAll().where('server_id', '=', id).executeTakeFirstOrThrow();

describeByTier('zones for operators', (engine) => {
  test('when an operator adds, reads and changes zones, then passwords stay hidden and stored', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app, { role: 'manager' });
    const added = await boss.post('zones', {
      ...one,
      gm_url: gmUrl,
      database_url: secretUrl,
      opened_at: '2030-01-31T20:00:00+08:00',
    });
    expect([added.status, added.body]).toEqual([201, { server_id: 1, audit_id: expect.any(String) }]);
    expect((await boss.post('zones', one)).body.code).toBe('already_bound');
    for (const bad of [
      { port: 0 },
      { gm_url: 'ftp://x' },
      { merged_into: 2 },
      { opened_at: 'soon' },
      ...files,
    ])
      expect((await boss.post('zones', { ...one, server_id: 9, ...bad })).status).toBe(400);
    expect((await boss.post('zones', { ...one, server_id: 9, gm_url: 'http://a:***@b/' })).status).toBe(400);

    const shown = {
      ...one,
      status: 'open',
      sort: 0,
      opened_at: '2030-01-31T12:00:00.000Z',
      message: null,
      gm_url: 'http://gm:***@gm.example/command?key=***',
      database_url: 'mysql://game:***@db.example:3306',
      merged_into: null,
      maintenance_until: null,
      online: null,
      entries_today: 0,
      withdrawals_unknown: 0,
    };
    const withdrawal = { id: 'w-1', player_id: 1, server_id: 1, amount: 5, state: 'unknown' };
    await app.db.kysely.insertInto('withdraw').values(withdrawal).execute();
    await boss.post('zones', { ...one, server_id: 2, name: 'two' });
    const first = await boss.get('zones?limit=1');
    expect(first.body.zones.map((zone: { server_id: number }) => zone.server_id)).toEqual([2]);
    const second = await boss.get(`zones?limit=1&cursor=${first.body.next}`);
    expect(second.body).toEqual({ zones: [{ ...shown, withdrawals_unknown: 1 }], next: null });
    await app.db.kysely
      .updateTable('server')
      .set({ gm_failing_since: 1_790_000_000_000, gm_failure: 'ECONNREFUSED' })
      .where('server_id', '=', 2)
      .execute();
    const settings = { gm_receipts: false, gm_signature_version: 2 };
    expect((await boss.send('PATCH', 'zones/2', settings)).body).toMatchObject(settings);
    expect((await boss.send('PATCH', 'zones/2', { gm_signature_version: 3 })).status).toBe(400);
    expect((await app.cli('zone', 'set', '2', '--gm-receipts', 'default', '--gm-signature', '1')).code).toBe(
      0,
    );
    const changed = (await boss.get('zones?limit=1')).body.zones[0];
    expect(changed).toMatchObject({ gm_signature_version: 1 });
    expect(changed).not.toHaveProperty('gm_receipts');
    const gmFails = { gm_failing_since: '2026-09-21T14:13:20.000Z', gm_failure: 'ECONNREFUSED' };
    expect((await boss.get('zones?limit=1')).body.zones).toMatchObject([gmFails]);
    const listed = JSON.parse((await app.cli('zone', 'list', '--json')).stdout);
    expect(listed.map((zone: typeof gmFails) => zone.gm_failing_since)).toEqual([
      null,
      gmFails.gm_failing_since,
    ]);

    const { online: _, entries_today: __, withdrawals_unknown: ___, merged_into: ____, ...form } = shown;
    const { server_id: _____, ...fields } = form;
    const patched = await boss.send('PATCH', 'zones/1', {
      ...fields,
      name: 'first',
      reason: 'a better name',
    });
    expect(patched.body).toEqual({
      ...shown,
      name: 'first',
      withdrawals_unknown: 1,
      audit_id: expect.any(String),
    });
    expect(await rowOf(app, 1)).toMatchObject({ gm_url: gmUrl, database_url: secretUrl });
    const moved = await boss.send('PATCH', 'zones/1', { gm_url: 'http://gm:***@gm.example/v2?key=***' });
    expect(moved.status).toBe(200);
    expect((await rowOf(app, 1)).gm_url).toBe('http://gm:pass@gm.example/v2?key=geheim');
    for (const stolen of ['mysql://game:***@thief.example:3306', 'mysql://other:***@db.example:3306']) {
      const refused = await boss.send('PATCH', 'zones/1', { database_url: stolen });
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, 'database_url']);
    }
    expect((await boss.send('PATCH', 'zones/1', { name: 'first' })).body.audit_id).toBeNull();
    for (const nowhere of ['zones/7', 'zones/x', 'zones/0'])
      expect((await boss.send('PATCH', nowhere, { name: 'x' })).body.code).toBe('server_not_found');

    const rows = await auditRows(app.db);
    const zoneRows = rows.filter(({ action }) => action.startsWith('zone.'));
    expect(zoneRows.map(({ action }) => action)).toEqual([
      'zone.add',
      'zone.add',
      ...Array(4).fill('zone.set'),
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/se@cret|gm:pass|geheim/);

    const tested = await boss.post('zones/2/test');
    expect(tested.body.checks).toEqual([
      { check: 'game database', result: 'failed', detail: expect.any(String) },
      { check: 'GM interface', result: 'failed', detail: 'the zone has no gm_url' },
    ]);
    expect((await boss.post('zones/7/test')).body.code).toBe('server_not_found');
  });

  test('when several zones change their status, then all or none do, and a zone’s operators see no others', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    await app.db.kysely
      .insertInto('server')
      .values([1, 2, 3].map((id) => ({ ...one, server_id: id, message: 'old news' })))
      .execute();
    const boss = await makeOperator(app, { role: 'manager' });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const order = { status: 'maintenance', message: 'back soon', until, reason: 'update' };
    expect((await boss.post('zones/status', { ...order, server_ids: [1, 7] })).body.code).toBe(
      'server_not_found',
    );
    expect((await rowOf(app, 1)).status).toBe('open');
    for (const bad of [
      { reason: '' },
      { until: '2001-01-01T00:00:00Z' },
      { status: 'open' },
      { server_ids: [] },
    ])
      expect((await boss.post('zones/status', { server_ids: [1], ...order, ...bad })).status).toBe(400);

    const changed = await boss.post('zones/status', { ...order, server_ids: [2, 1, 2] });
    // This instance knows it before it answers.
    expect(app.features.zones.cache.all().map(({ status }) => status)).toEqual([
      'maintenance',
      'maintenance',
      'open',
    ]);
    const id = expect.any(String);
    expect(changed.body).toEqual({
      zones: [1, 2].map((server_id) => ({ server_id, status: 'maintenance', audit_id: id })),
      audit_id: changed.body.zones[0].audit_id,
    });
    const end = Date.parse(until);
    expect(await rowOf(app, 2)).toMatchObject({ message: 'back soon', maintenance_until: end });
    await boss.post('zones/status', { server_ids: [2], status: 'open', reason: 'done' });
    expect(await rowOf(app, 2)).toMatchObject({ status: 'open', maintenance_until: null });
    for (const reason of [undefined, '', '  ', '\u3000\u200b']) {
      const refused = await boss.send('PATCH', 'zones/1', { status: 'open', reason });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'reason']);
    }
    await boss.send('PATCH', 'zones/1', { status: 'maintenance', reason: 'update' });
    expect(await rowOf(app, 1)).toMatchObject({ status: 'maintenance', maintenance_until: null });
    const rows = (await auditRows(app.db)).filter(({ action }) => action === 'zone.status');
    expect(rows.map(({ server_id, reason }) => `${server_id} ${reason}`).sort()).toEqual([
      '1 update',
      '2 done',
      '2 update',
    ]);

    const limited = await makeOperator(app, { name: 'limited', role: 'admin', zones: [1, 2] });
    const { body } = await limited.get('zones');
    expect(body.zones.map((zone: { server_id: number }) => zone.server_id)).toEqual([2, 1]);
    expect((await limited.post('zones', { ...one, server_id: 8 })).body.code).toBe('permission_denied');
    const merging = { into: 3, reason: 'fewer players' };
    for (const refused of [
      await limited.send('PATCH', 'zones/3', { name: 'mine' }),
      await limited.post('zones/3/test'),
      await limited.post('zones/3/merge', { ...merging, into: 1 }),
      await limited.post('zones/1/merge', merging),
      await limited.post('zones/status', { server_ids: [1, 3], status: 'open', reason: 'x' }),
    ])
      expect(refused.body.code).toBe('server_not_found');
    expect((await limited.send('PATCH', 'zones/1', { name: 'mine' })).status).toBe(200);
    const viewer = await makeOperator(app, { name: 'viewer', role: 'viewer' });
    expect((await viewer.get('zones')).status).toBe(200);
    expect((await viewer.post('zones/1/merge', merging)).body.code).toBe('permission_denied');
  });

  test('when zones are merged over the API, then players are offered the remaining one', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, relaxed);
    await app.db.kysely
      .insertInto('server')
      .values([1, 2, 3].map((id) => ({ ...one, server_id: id })))
      .execute();
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    expect((await app.register('settler', { server_id: 1 })).server_id).toBe(1);
    const boss = await makeOperator(app, { role: 'manager' });
    const merging = { into: 2, reason: 'fewer players' };
    const answer = { server_id: 1, into: 2, players: 1, withdrawals: 0, open_withdrawals: 0 };
    const looked = await boss.post('zones/1/merge', { ...merging, dry_run: true });
    expect(looked.body).toEqual({ ...answer, dry_run: true, audit_id: null });
    const merged = await boss.post('zones/1/merge', merging);
    expect(merged.body).toEqual({ ...answer, dry_run: false, audit_id: expect.any(String) });
    expect((await boss.post('zones/1/merge', merging)).body.code).toBe('already_bound');
    expect((await boss.post('zones/2/merge', { ...merging, into: 1 })).body.code).toBe('already_bound');
    expect((await boss.post('zones/2/merge', merging)).body.code).toBe('invalid_request');

    expect((await boss.post('zones/2/merge', { ...merging, into: 3 })).status).toBe(200);
    expect(app.features.zones.cache.currentId(1)).toBe(3);
    const { token, server_id: offered } = (
      await app.post('/api/login', { account: 'settler', password: PASSWORD })
    ).body;
    expect(offered).toBe(3);
    expect((await app.post('/api/enter_game', { server_id: 1 }, { token })).status).toBe(200);
    await vi.waitFor(async () => {
      const { zones } = (await boss.get('zones')).body;
      expect(zones.map((zone: { entries_today: number }) => zone.entries_today)).toEqual([1, 0, 0]);
    }, 40_000);
    expect((await app.register('newcomer', { server_id: 2 })).server_id).toBe(3);
    const { last_server_id, server_id } = await app.db.kysely
      .selectFrom('player')
      .select(['last_server_id', 'server_id'])
      .where('account', '=', 'settler')
      .executeTakeFirstOrThrow();
    expect({ last_server_id, server_id }).toEqual({ last_server_id: 3, server_id: 1 });
  });
});

test('when zones are merged, scheduled and set to maintenance on the command line, then the rows show it', async () => {
  const url = freshSqlite();
  const db = await migratedAt(url);
  await db.kysely
    .insertInto('server')
    .values([1, 2, 3].map((id) => ({ ...one, server_id: id })))
    .execute();
  const env = {
    GATEHOUSE_DATABASE_URL: url,
    GATEHOUSE_AUTH_PASSWORD_KEY: 'k',
    GATEHOUSE_AUTH_JWT_SECRET: 'x'.repeat(32),
  };
  const cli = (...args: string[]) => runCli(['zone', ...args], { env });
  const dry = await cli('merge', '2', '--into', '3', '--dry-run');
  expect(dry.stdout).toBe('would merge zone 2 into 3: 0 players, 0 withdrawals, 0 of them in progress\n');
  const merged = await cli('merge', '2', '--into', '3');
  expect(merged).toMatchObject({ code: 0, stderr: expect.stringContaining('zones 2 and 3 are open') });
  expect(await cli('merge', '2', '--into', '1')).toMatchObject({
    code: 1,
    stderr: 'gatehouse: This zone is already merged into another one.\n',
  });
  const status = ['status', '1-3', '--status', 'maintenance', '--message', 'moving', '--until', '2h'];
  expect((await cli(...status)).stdout).toContain('3 zones: maintenance until');
  await cli('set', '3', '--opens', '2030-01-31T12:00:00Z', '--maintenance-until', 'none');
  const rows = await db.kysely.selectFrom('server').selectAll().orderBy('server_id').execute();
  expect(rows.map(({ merged_into, status, message }) => ({ merged_into, status, message }))).toEqual(
    [null, 3, null].map((merged_into) => ({ merged_into, status: 'maintenance', message: 'moving' })),
  );
  expect(rows[0]?.maintenance_until).toBeGreaterThan(Date.now());
  const opens = Date.parse('2030-01-31T12:00:00Z');
  expect(rows[2]).toMatchObject({ maintenance_until: null, opened_at: opens });
}, 180_000);

test('when a zone has open withdrawals or others are merged into it, then it is not removed', async () => {
  const app = await startTestApp(freshSqlite());
  const { kysely } = app.db;
  const zones = [1, 2, 3].map((server_id) => ({
    ...one,
    server_id,
    merged_into: server_id === 2 ? 3 : null,
  }));
  await kysely.insertInto('server').values(zones).execute();
  await addUnknown(app.db, 'lost', { server_id: 1 });
  const remove = async (id: number) => {
    const { code, stderr } = await app.cli('zone', 'remove', String(id));
    return code === 0 ? 'removed' : stderr;
  };
  expect(await remove(1)).toContain('Zone 1 has 1 withdrawals that are in progress or unknown');
  const merge = await app.cli('zone', 'merge', '1', '--into', '2');
  expect(merge.stderr).toContain('gatehouse withdraw list --server 1');
  expect(await remove(3)).toContain('Other zones are merged into this one: 2.');
  expect(await kysely.selectFrom('server').select('server_id').execute()).toHaveLength(3);
  await kysely.updateTable('withdraw').set({ state: 'failed', open_key: null }).execute();
  expect([await remove(1), await remove(2), await remove(3)]).toEqual(['removed', 'removed', 'removed']);
});
