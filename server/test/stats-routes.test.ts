import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { localTime } from '../src/runtime/time.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

const time_zone = zoneAtNoon();
const today = () => localTime(time_zone).today().day;
const settings = { time_zone, console: { require_totp: false } };

describeByTier('operators’ figures', (engine) => {
  test('when players register, log in and use md5 tokens, then the operators see it immediately, each for their zones', async () => {
    const app = await startTestApp(await engine.freshUrl(), { ...settings, day_max_reg: 50 });
    const boss = await makeOperator(app);
    const { body: added } = await boss.post('promoters', { name: 'Zhang' });
    await app.db.kysely
      .insertInto('server')
      .values([1, 2].map((server_id) => ({ server_id, name: `Z${server_id}`, address: 'a', port: 1 })))
      .execute();
    await expect.poll(async () => (await app.get('/api/server/list')).body.servers).toHaveLength(2);
    const code = await app.code('ann@example.com');
    const form = { account: 'annalise', password: PASSWORD, email: 'ann@example.com', code, server_id: 1 };
    expect((await app.post(`/api/register?agent_id=${added.agent_id}`, form)).status).toBe(201);
    await app.post('/api/login', { account: 'annalise', password: PASSWORD });
    const { password_hash } = await app.db.kysely
      .selectFrom('player')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    await app.post('/api/check', { account: 'annalise', token: password_hash });
    await app.features.history.flush();
    await app.features.legacyTokens.flush();

    const { body } = await boss.get('dashboard?days=2');
    expect(body.days).toHaveLength(2);
    expect(body.days[1]).toMatchObject({
      day: today(),
      registrations: 1,
      logins: 1,
      players: 1,
      legacy_checks: 1,
    });
    expect(body.now).toEqual({
      registrations: 1,
      cap: 50,
      withdrawals_open: 0,
      withdrawals_unknown: 0,
      zones_down: 0,
    });
    expect((await boss.get('dashboard')).body.days).toHaveLength(7);
    expect((await boss.get('dashboard?server_id=2&days=1')).body.days[0].registrations).toBe(0);
    for (const query of ['days=0', 'days=91', 'days=x', 'server_id=0'])
      expect((await boss.get(`dashboard?${query}`)).status).toBe(400);

    const registrations = await boss.get(`registrations?day=${today()}`);
    expect(registrations.body).toMatchObject({
      count: 1,
      cap: 50,
      by_promoter: [{ name: 'Zhang', count: 1 }],
    });
    expect(registrations.body.by_block).toHaveLength(1);
    expect((await boss.get('registrations?day=2026-02-31')).body.code).toBe('invalid_request');
    expect((await boss.get('legacy')).body).toMatchObject({
      days: [{ day: today(), accounts: 1, zones: [{ server_id: null, accounts: 1 }] }],
      last: [{ account: 'annalise', player_id: 1, server_id: null }],
    });

    const limited = await makeOperator(app, { name: 'limited', role: 'viewer', zones: [2] });
    expect((await limited.get('dashboard?server_id=1')).body.code).toBe('server_not_found');
    expect((await limited.get('dashboard?days=1')).body.days[0]).toMatchObject({
      registrations: 0,
      logins: 0,
    });
    expect((await limited.get('registrations')).body).toMatchObject({ count: 0, by_block: [] });
    expect((await limited.get('legacy')).body).toEqual({ days: [], last: [] });
    const own = await makeOperator(app, { name: 'own', role: 'manager', zones: [1] });
    expect((await own.get('registrations')).body).toMatchObject({ count: 1 });
    expect((await own.post('promoters', { name: 'Li' })).body.code).toBe('permission_denied');
  });

  test('when promoters are added and changed, then they are listed with their figures, and each change is recorded', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const boss = await makeOperator(app);
    const first = await boss.post('promoters', { name: 'Zhang' });
    expect(first).toMatchObject({ status: 201, body: { agent_id: 1, audit_id: expect.any(String) } });
    await boss.post('promoters', { name: '=SUM(A1)' });
    await app.db.kysely
      .insertInto('player')
      .values([
        { account: 'ann', agent_id: 1, ip: '10.0.0.1', created_at: Date.now() - 2 },
        { account: 'bob', agent_id: 1, ip: '10.0.0.1', created_at: Date.now() - 1, last_server_id: 1 },
        { account: 'old', agent_id: 1, ip: '10.0.0.2', created_at: Date.parse('2020-01-01') },
      ])
      .execute();
    const zhang = {
      agent_id: 1,
      name: 'Zhang',
      status: 'active',
      registrations: 2,
      entered: 1,
      returned: 0,
      addresses: 1,
      withdrawn: 0,
    };

    const { body: page } = await boss.get('promoters?limit=1');
    expect(page.promoters).toMatchObject([{ agent_id: 2, registrations: 0 }]);
    expect((await boss.get(`promoters?limit=1&cursor=${page.next}`)).body).toEqual({
      promoters: [zhang],
      next: null,
    });
    expect((await boss.get('promoters/1')).body).toEqual(zhang);
    const all = '?from=2019-01-01T00:00:00Z&to=2040-01-01T00:00:00Z';
    expect((await boss.get(`promoters/1${all}`)).body.registrations).toBe(3);
    expect((await boss.get('promoters/3')).body.code).toBe('promoter_not_found');
    expect((await boss.get('promoters?from=yesterday')).status).toBe(400);

    const changed = await boss.send('PATCH', 'promoters/1', { name: 'Chang', status: 'closed' });
    expect(changed.body).toEqual({
      agent_id: 1,
      name: 'Chang',
      status: 'closed',
      audit_id: expect.any(String),
    });
    expect((await boss.send('PATCH', 'promoters/1', { status: 'closed' })).body.audit_id).toBeNull();
    expect((await boss.send('PATCH', 'promoters/9', { status: 'closed' })).body.code).toBe(
      'promoter_not_found',
    );
    expect((await boss.send('PATCH', 'promoters/1', { status: 'gone' })).status).toBe(400);
    const csv = await boss.get('promoters', { headers: { accept: 'text/csv' } });
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'agent_id,name,status,registrations,entered,returned,addresses,withdrawn',
      `"2","'=SUM(A1)","active","0","0","0","0","0"`,
    ]);
    const actions = (await auditRows(app.db)).map(({ action }) => action);
    expect(actions.filter((action) => /^promoter|^export/.test(action))).toEqual([
      'promoter.add',
      'promoter.add',
      'promoter.set',
      'export',
    ]);
  });
});
