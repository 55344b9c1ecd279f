import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { freshAddress, startTestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };
const reason = 'a flood of bots';
const LATER = '2199-01-01T00:00:00.000Z';

describeByTier('the operators’ controls', (engine) => {
  test('when a control is set and cleared, then the list shows who, since when, until when and why', async () => {
    const app = await startTestApp(await engine.freshUrl(), { ...relaxed, day_max_reg: 70 });
    const boss = await makeOperator(app);
    const idle = { value: null, until: null, by: null, at: null, reason: null };
    const untouched = [
      { name: 'day_max_reg', setting: 70, ...idle },
      { name: 'withdraw.enabled', setting: true, ...idle },
    ];
    expect((await boss.get('controls')).body).toEqual({ controls: untouched, deny_ip: [] });

    const set = await boss.send('PUT', 'controls/day_max_reg', { value: 0, until: LATER, reason });
    expect(set).toMatchObject({ status: 200, body: { audit_id: expect.any(String) } });
    // The instance that received the request applies it immediately.
    expect((await app.get('/api/config')).body.registration.open).toBe(false);
    const [control] = (await boss.get('controls')).body.controls;
    expect(control).toEqual({
      name: 'day_max_reg',
      value: 0,
      setting: 70,
      until: LATER,
      by: 'boss',
      at: expect.any(String),
      reason,
    });
    expect(Math.abs(Date.parse(control.at) - Date.now())).toBeLessThan(60_000);
    const again = await boss.send('PUT', 'controls/day_max_reg', { value: 0, until: LATER, reason });
    expect(again.body).toEqual({ audit_id: null });

    expect((await boss.send('DELETE', 'controls/day_max_reg', { reason })).status).toBe(200);
    expect((await app.get('/api/config')).body.registration.open).toBe(true);
    expect((await boss.get('controls')).body.controls).toEqual(untouched);
    const { audit } = (await boss.get('audit?subject_kind=control')).body;
    expect(audit.map(({ action }: { action: string }) => action).sort()).toEqual([
      'control.clear',
      'control.set',
    ]);
    expect(audit[0]).toMatchObject({ actor: 'boss', via: 'console', subject_id: 'day_max_reg', reason });
  });

  test('when an address is denied, then every request from it is refused; the operator’s own cannot be denied', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const denied = freshAddress();
    const added = await boss.post('controls/deny_ip', { entry: denied, reason });
    expect(added).toMatchObject({ status: 201, body: { id: expect.any(Number) } });
    expect((await app.from(denied).get('/api/config')).status).toBe(403);

    const own = await boss.post('controls/deny_ip', { entry: '198.18.0.0/15', reason });
    expect(own).toMatchObject({ status: 422, body: { code: 'would_lock_out' } });
    const malformed = await boss.post('controls/deny_ip', { entry: '10.0.0.0/99', reason });
    expect(malformed).toMatchObject({ status: 400, body: { errors: [{ field: 'entry' }] } });

    const viewer = await makeOperator(app, { name: 'vera', role: 'viewer' });
    const entryFor = async (client: typeof boss) => (await client.get('controls')).body.deny_ip[0].entry;
    expect(await entryFor(boss)).toBe(denied);
    expect(await entryFor(viewer)).toBe(denied.replace(/\d+$/, '*'));
    expect(await viewer.post('controls/deny_ip', { entry: '10.0.0.1', reason })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });

    const { id } = added.body;
    expect((await boss.send('DELETE', `controls/deny_ip/${id}`, { reason })).status).toBe(200);
    expect((await app.from(denied).get('/api/config')).status).toBe(200);
    expect((await boss.send('DELETE', `controls/deny_ip/${id}`, { reason })).status).toBe(404);
  });

  test('when an announcement is made, changed and removed over the API, then players see each change immediately', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const said = async () => (await app.get('/api/announcement/list')).body.announcements;
    const patch = { title: 'Patch', body: 'Tonight\nat ten', level: 'warning', until: LATER };
    const added = await boss.post('announcements', patch);
    expect(added.status).toBe(201);
    const { id } = added.body;
    expect(await said()).toEqual([{ id, ...patch, language: null, from: null }]);
    await boss.send('PATCH', `announcements/${id}`, { title: 'Big patch', until: null });
    expect(await said()).toMatchObject([{ title: 'Big patch', body: patch.body, until: null }]);
    await boss.post('announcements', { title: 'Zh', body: '', level: 'info', language: 'zh-CN' });
    expect(await said()).toHaveLength(1);

    const first = (await boss.get('announcements?limit=1')).body;
    expect(first.announcements).toMatchObject([{ title: 'Zh', created_at: expect.any(String) }]);
    const second = (await boss.get(`announcements?limit=1&cursor=${first.next}`)).body;
    expect(second).toMatchObject({ announcements: [{ id }], next: null });

    expect((await boss.send('DELETE', `announcements/${id}`)).status).toBe(200);
    expect(await said()).toEqual([]);
    expect((await boss.send('DELETE', `announcements/${id}`)).status).toBe(404);
    expect((await boss.send('PATCH', 'announcements/x', { title: 'x' })).status).toBe(404);
  });
});

test('when a change is invalid, then it is refused with the field that is wrong, and nothing is stored', async () => {
  const app = await startTestApp(freshSqlite(), relaxed);
  const boss = await makeOperator(app);
  const before = await auditRows(app.db);
  const refused = [
    ['PUT', 'controls/port', { value: 1, reason }, 404, 'not_found'],
    ['PUT', 'controls/deny_ip', { value: 1, reason }, 404, 'not_found'],
    ['PUT', 'controls/day_max_reg', { value: -1, reason }, 400, 'value'],
    ['PUT', 'controls/day_max_reg', { value: 1.5, reason }, 400, 'value'],
    ['PUT', 'controls/day_max_reg', { value: '5', reason }, 400, 'value'],
    ['PUT', 'controls/day_max_reg', { value: true, reason }, 400, 'value'],
    ['PUT', 'controls/withdraw.enabled', { value: 1, reason }, 400, 'value'],
    ['PUT', 'controls/day_max_reg', { value: 1 }, 400, 'reason'],
    ['PUT', 'controls/day_max_reg', { value: 1, reason: '' }, 400, 'reason'],
    ['PUT', 'controls/day_max_reg', { value: 1, reason, until: '2001-01-01T00:00:00Z' }, 400, 'until'],
    ['PUT', 'controls/day_max_reg', { value: 1, reason, until: 'tomorrow' }, 400, 'until'],
    ['DELETE', 'controls/day_max_reg', { reason }, 404, 'not_found'],
    ['DELETE', 'controls/day_max_reg', {}, 400, 'reason'],
    ['POST', 'controls/deny_ip', { entry: 'example.com', reason }, 400, 'entry'],
    ['DELETE', 'controls/deny_ip/1e3', { reason }, 404, 'not_found'],
    ['POST', 'announcements', { title: '', body: 'x', level: 'info' }, 400, 'title'],
    ['POST', 'announcements', { title: 'x', body: 'x', level: 'loud' }, 400, 'level'],
    ['POST', 'announcements', { title: 'x', body: 'x', level: 'info', language: 'fr' }, 400, 'language'],
    ['POST', 'announcements', { title: 'x', body: 'x\0', level: 'info' }, 400, 'body'],
    [
      'POST',
      'announcements',
      { title: 'x', body: 'x', level: 'info', from: LATER, until: LATER },
      400,
      'until',
    ],
  ] as const;
  for (const [method, path, body, status, what] of refused) {
    const answer = await boss.send(method, path, body);
    const named = answer.body.code === 'invalid_request' ? answer.body.errors[0].field : answer.body.code;
    expect([method, path, body, answer.status, named]).toEqual([method, path, body, status, what]);
  }
  expect(await auditRows(app.db)).toHaveLength(before.length);
});
