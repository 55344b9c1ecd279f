import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { auditRows } from './support/audit.ts';
import { cookieIn, invite, makeOperator, OPERATOR_PASSWORD, operatorClient } from './support/operator.ts';
import { freshAddress, startTestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };
const password = OPERATOR_PASSWORD;

describeByTier('operators', (engine) => {
  test('when an invitation is accepted, then it is used up and the session is in a cookie that pages cannot read', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const invitation = await invite(app, { name: 'alice', role: 'support', zones: [1, 2] });
    const accept = (body: object) => app.post('/api/admin/invitation', body);

    for (const weak of ['elevenchars', 'password1234', 'x'.repeat(129)]) {
      const answer = await accept({ invitation, password: weak });
      expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
    }
    const accepted = await accept({ invitation, password });
    expect(accepted.status).toBe(200);
    expect(accepted.body).toEqual({
      name: 'alice',
      role: 'support',
      zones: [1, 2],
      permissions: ['read', 'personal', 'players.write', 'chat.read'],
      totp: false,
    });
    expect(accepted.headers.get('set-cookie')).toMatch(
      /^gatehouse_operator=[\w-]{43}; Path=\/api\/admin; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(accepted.headers.get('cache-control')).toBe('no-store');
    expect((await accept({ invitation, password })).body.code).toBe('invalid_ticket');
    expect((await accept({ invitation: 'unknown', password })).body.code).toBe('invalid_ticket');

    const alice = operatorClient(app, 'alice', cookieIn(accepted));
    expect((await alice.get('me')).body).toEqual(accepted.body);
    const [{ token_hash } = { token_hash: '' }] = await app.db.kysely
      .selectFrom('operator_session')
      .select('token_hash')
      .execute();
    expect(token_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(alice.cookie).not.toContain(token_hash);

    const late = await invite(app, { name: 'late', role: 'viewer' });
    await app.db.kysely
      .updateTable('operator')
      .set({ invited_until: 1 })
      .where('name', '=', 'late')
      .execute();
    expect((await accept({ invitation: late, password })).body.code).toBe('invalid_ticket');
  });

  test('when access ends, then the next request is refused on every instance', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, relaxed);
    const other = await startTestApp(url, relaxed);
    const boss = await makeOperator(app);
    const there = ({ cookie, name }: { cookie: string; name: string }) => operatorClient(other, name, cookie);
    const ended = async (name: string, end: (name: string) => Promise<{ status: number }>) => {
      const operator = await makeOperator(app, { name, role: 'viewer' });
      expect((await there(operator).get('me')).status).toBe(200);
      expect((await end(name)).status).toBeLessThan(300);
      const answer = await there(operator).get('me');
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'invalid_token']);
    };
    await ended('disabled', (name) => boss.send('PATCH', `operators/${name}`, { status: 'disabled' }));
    await ended('promoted', (name) => boss.send('PATCH', `operators/${name}`, { role: 'manager' }));
    await ended('limited', (name) => boss.send('PATCH', `operators/${name}`, { zones: [3] }));
    await ended('invited', (name) => boss.post(`operators/${name}/invite`));

    const carol = await makeOperator(app, { name: 'carol' });
    const second = await app.from(freshAddress()).post('/api/admin/login', { name: 'carol', password });
    const elsewhere = operatorClient(other, 'carol', cookieIn(second));
    const change = { old_password: password, password: 'quite another password' };
    expect((await carol.post('me/password', { ...change, old_password: 'wrong' })).status).toBe(401);
    expect((await carol.post('me/password', change)).status).toBe(200);
    expect((await elsewhere.get('me')).status).toBe(401);
    expect((await there(carol).get('me')).status).toBe(200);
    expect((await carol.post('logout')).status).toBe(204);
    expect((await there(carol).get('me')).status).toBe(401);
  });

  test('when administrators remove each other at the same moment, then one remains', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, relaxed);
    const other = await startTestApp(url, relaxed);
    const ann = await makeOperator(app, { name: 'ann' });
    const bob = await makeOperator(app, { name: 'bob' });
    const [one, two] = await Promise.all([
      ann.send('PATCH', 'operators/bob', { status: 'disabled' }),
      operatorClient(other, 'bob', bob.cookie).send('PATCH', 'operators/ann', { role: 'viewer' }),
    ]);
    // The slower one is refused: as the last administrator, or because its own session has ended.
    expect([one.status, two.status].filter((status) => status === 200)).toHaveLength(1);
    const left = await app.db.kysely
      .selectFrom('operator')
      .select('name')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .execute();
    expect(left).toHaveLength(1);
    const last = left[0]?.name === 'ann' ? ann : bob;
    for (const change of [{ status: 'disabled' }, { role: 'manager' }, { zones: [1] }]) {
      const answer = await last.send('PATCH', `operators/${last.name}`, change);
      expect([answer.status, answer.body.code]).toEqual([422, 'would_lock_out']);
    }
  });

  test('when operators are changed, then exactly one audit row names who, what and why, and no secret', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const added = await boss.post('operators', { name: 'dora', role: 'viewer' });
    expect(added.status).toBe(201);
    expect(added.body.link).toMatch(/\/console\/invite#[\w-]{43}$/);
    expect((await boss.post('operators', { name: 'dora', role: 'viewer' })).body.code).toBe('operator_taken');
    const set = await boss.send('PATCH', 'operators/dora', { role: 'support', zones: [4, 5] });
    expect(set.body).toMatchObject({ name: 'dora', role: 'support', zones: [4, 5], status: 'active' });
    expect((await boss.send('PATCH', 'operators/dora', { role: 'support' })).body.audit_id).toBeNull();
    await boss.send('PATCH', 'operators/dora', { status: 'disabled' });
    await boss.send('PATCH', 'operators/dora', { status: 'active' });
    expect((await boss.send('PATCH', 'operators/nobody', { role: 'viewer' })).body.code).toBe(
      'operator_not_found',
    );
    expect((await boss.post('operators/nobody/invite')).body.code).toBe('operator_not_found');
    await boss.post('operators/dora/invite');

    const rows = (await auditRows(app.db)).filter(({ subject_id }) => subject_id === 'dora');
    expect(rows.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['operator.add', null, '{"role":"viewer","zones":null}'],
      ['operator.set', '{"role":"viewer","zones":null}', '{"role":"support","zones":"4,5"}'],
      ['operator.disable', '{"status":"active"}', '{"status":"disabled"}'],
      ['operator.enable', '{"status":"disabled"}', '{"status":"active"}'],
      ['operator.invite', null, null],
    ]);
    expect(
      rows.every(
        ({ actor, via, ip, request_id }) => actor === 'boss' && via === 'console' && ip && request_id,
      ),
    ).toBe(true);
    const everything = JSON.stringify(await auditRows(app.db));
    expect(everything).not.toContain(password);
    expect(everything).not.toContain(added.body.link.split('#')[1]);

    for (let made = 0; made < 3; made++)
      await boss.post('operators', { name: `page-${made}`, role: 'viewer' });
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await boss.get(`operators?limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(...body.operators.map(({ name }: { name: string }) => name));
      if (body.next === null) break;
      cursor = body.next;
    }
    expect(names).toEqual(['page-2', 'page-1', 'page-0', 'dora', 'boss']);
    for (const cursor of ['nonsense', 'W10', Buffer.from('["a"]').toString('base64url')])
      expect((await boss.get(`operators?cursor=${cursor}`)).body.code).toBe('invalid_request');
  });
});

test('when a changing request with the cookie does not come from the console, then it is refused', async () => {
  const app = await startTestApp(freshSqlite(), relaxed);
  const boss = await makeOperator(app);
  const change = (headers: Record<string, string>) =>
    app.send('POST', '/api/admin/operators', {
      headers: { cookie: boss.cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: `n${Math.random().toString(36).slice(2)}`, role: 'viewer' }),
    });
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ]) {
    const answer = await change(headers as Record<string, string>);
    expect([answer.status, answer.body.code]).toEqual([403, 'caller_not_allowed']);
  }
  expect((await change({ origin: 'http://localhost:3001' })).status).toBe(201);
  expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  expect((await boss.get('me', { headers: { origin: 'https://evil.example' } })).status).toBe(200);
});

test('when the console is switched off or another address calls, then it answers 404', async () => {
  const app = await startTestApp(freshSqlite(), {
    console: { require_totp: false, ip: ['203.0.113.0/24'] },
  });
  const [inside, outside] = [app.from('203.0.113.9'), app.from('198.51.100.1')];
  const login = { name: 'boss', password };
  for (const [method, path] of [
    ['GET', '/api/admin/me'],
    ['GET', '/api/%61dmin/me'],
    ['PUT', '/api/admin/me'],
    ['GET', '/api/admin/nothing'],
    ['GET', '/console'],
    ['GET', '/console/players'],
  ] as const) {
    const answer = await outside.send(method, path);
    expect([path, answer.status, answer.body?.code]).toEqual([path, 404, 'not_found']);
  }
  expect((await outside.post('/api/admin/login', login)).status).toBe(404);
  expect((await inside.post('/api/admin/login', login)).status).toBe(401);
  expect((await inside.send('PUT', '/api/admin/me')).status).toBe(405);
  const off = await startTestApp(freshSqlite(), { console: { enabled: false } });
  expect((await off.post('/api/admin/login', login)).status).toBe(404);
});
