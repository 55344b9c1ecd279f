import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { auditRows } from './support/audit.ts';
import {
  cookieIn,
  invite,
  keyClient,
  makeOperator,
  OPERATOR_PASSWORD,
  operatorClient,
} from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';
import { codeAt, stopClock } from './support/totp.ts';

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

  test('when a login is wrong, then every reason looks the same and only a known name is recorded', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app, { name: 'boss' });
    await makeOperator(app, { name: 'gone', role: 'viewer' });
    expect((await boss.send('PATCH', 'operators/gone', { status: 'disabled' })).status).toBe(200);
    const login = (body: object) => app.from(freshAddress()).post('/api/admin/login', body);

    const refused = await Promise.all([
      login({ name: 'nobody', password }),
      login({ name: 'boss', password: 'wrong password' }),
      login({ name: 'gone', password }),
      login({ name: 'BOSS', password }),
    ]);
    for (const answer of refused)
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        401,
        'invalid_credentials',
        refused[0]?.body.detail,
      ]);
    const failures = (await auditRows(app.db)).filter(({ action }) => action === 'operator.login_failed');
    expect(failures.map(({ actor, subject_id, reason }) => [actor, subject_id, reason]).sort()).toEqual([
      ['boss', 'boss', 'wrong password'],
      ['gone', 'gone', 'disabled'],
      ['unknown', null, 'unknown name'],
      ['unknown', null, 'unknown name'],
    ]);
    expect((await login({ name: 'boss', password })).status).toBe(200);
  });

  test('when logins are guessed, then operators are throttled apart from players', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    await makeOperator(app, { name: 'player1' });
    await app.register('player1');
    const address = freshAddress();
    const guess = () =>
      app.from(address).post('/api/admin/login', { name: 'player1', password: 'a wrong password' });
    const answers = await Promise.all(Array.from({ length: 8 }, guess));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    const right = await app.from(address).post('/api/admin/login', { name: 'player1', password });
    expect(right.status).toBe(429);
    const player = { account: 'player1', password: PASSWORD };
    expect((await app.from(address).post('/api/login', player)).status).toBe(200);
  });

  test('when strangers flood the login, then an operator at a usual address has a place in the queue', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    await makeOperator(app, { name: 'olga' });
    const usual = app.from(freshAddress());
    const logIn = () => usual.post('/api/admin/login', { name: 'olga', password });
    expect((await logIn()).status).toBe(200);
    let isFull = () => {};
    const full = new Promise<void>((resolve) => {
      isFull = resolve;
    });
    // Two are hashed at a time and 32 wait.
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const login = { name: `nobody${index}`, password: 'a wrong password' };
      const { status } = await app.from(freshAddress()).post('/api/admin/login', login);
      if (status === 429) isFull();
    });
    await full;
    expect((await logIn()).status).toBe(200);
    await Promise.all(flood);
  });

  test('when two-factor login is on, then each code is good once on all instances, at most one step off', async () => {
    stopClock();
    const url = await engine.freshUrl();
    const settings = { auth: { jwt_secret: 'the secret of both instances, 32 bytes' } };
    const app = await startTestApp(url, settings);
    const other = await startTestApp(url, settings);
    const boss = await makeOperator(app);
    expect((await boss.get('operators')).body.code).toBe('totp_required');
    expect((await boss.get('me')).status).toBe(200);

    const first = (await boss.post('me/totp')).body;
    const { secret, otpauth_url } = (await boss.post('me/totp')).body;
    expect(otpauth_url).toBe(
      `otpauth://totp/Gatehouse:boss?secret=${secret}&issuer=Gatehouse&algorithm=SHA1&digits=6&period=30`,
    );
    const wrong = await boss.post('me/totp/confirm', { code: await codeAt(first.secret) });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
    const stolen = await other.from(freshAddress()).post('/api/admin/login', { name: 'boss', password });
    const confirmed = await boss.post('me/totp/confirm', { code: await codeAt(secret, -30) });
    expect((await operatorClient(app, 'boss', cookieIn(stolen)).get('me')).status).toBe(401);
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect((await boss.post('me/totp')).body.code).toBe('already_bound');
    expect((await boss.get('operators')).status).toBe(200);

    const login = (to: typeof app, code?: string) =>
      to.from(freshAddress()).post('/api/admin/login', { name: 'boss', password, ...(code && { code }) });
    const missing = await login(app);
    expect([missing.status, missing.body.code]).toEqual([401, 'second_factor_required']);
    for (const offset of [-60, 60, 90])
      expect((await login(app, await codeAt(secret, offset))).body.code).toBe('invalid_credentials');
    expect((await login(app, await codeAt(secret, -30))).body.code).toBe('invalid_credentials');

    const code = await codeAt(secret, 30);
    const both = await Promise.all([
      login(app, code),
      login(other, code),
      login(app, code),
      login(other, code),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);

    const [recovery = ''] = confirmed.body.recovery_codes;
    const spelled = recovery.toUpperCase().replaceAll('-', ' ');
    const recovered = await Promise.all([login(app, recovery), login(other, spelled)]);
    expect(recovered.map(({ status }) => status).sort()).toEqual([200, 401]);

    const kept = await app.db.kysely.selectFrom('two_factor').selectAll().executeTakeFirstOrThrow();
    expect(kept.secret).toMatch(/^s1:/);
    const removed = (code: string) => boss.post('me/totp/remove', { password, code });
    expect((await removed('000000')).status).toBe(401);
    expect((await removed(confirmed.body.recovery_codes[1])).status).toBe(204);
    expect((await login(app)).status).toBe(200);
  });

  test('when the password of an operator with a second factor was guessed, then asking without a code clears no count', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const { secret } = (await boss.post('me/totp')).body;
    await boss.post('me/totp/confirm', { code: await codeAt(secret) });
    const address = freshAddress();
    const login = (code?: string) =>
      app.from(address).post('/api/admin/login', { name: 'boss', password, ...(code && { code }) });
    const statuses: number[] = [];
    for (const code of [
      '000000',
      undefined,
      '000001',
      undefined,
      '000002',
      undefined,
      '000003',
      '000004',
      '000005',
    ])
      statuses.push((await login(code)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 429]);
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

  test('when a session is idle or old, then it has ended by the clock of the database', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const age = (column: 'created_at' | 'last_seen_at', ms: number) =>
      app.db.kysely
        .updateTable('operator_session')
        .set(({ eb }) => ({ [column]: eb(app.db.now, '-', ms) }))
        .execute();
    await age('last_seen_at', 29 * 60_000);
    expect((await boss.get('me')).status).toBe(200);
    await age('last_seen_at', 31 * 60_000);
    expect((await boss.get('me')).status).toBe(401);
    await age('last_seen_at', 0);
    await age('created_at', 12 * 3_600_000 + 60_000);
    expect((await boss.get('me')).status).toBe(401);
  });

  test('when administrators take each other away at the same moment, then one is left', async () => {
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

  test('when a script shows its key, then it may what its role may, until the key ends', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const admin = await makeOperator(app);
    const made = await admin.post('keys', { name: 'nightly', role: 'admin', days: 1 });
    expect(made.status).toBe(201);
    expect(made.body.key).toMatch(/^ghk_[\w-]{43}$/);
    expect((await admin.post('keys', { name: 'nightly', role: 'viewer' })).body.code).toBe('operator_taken');
    const script = keyClient(app, made.body.key);
    expect((await script.get('me')).body).toMatchObject({ name: 'nightly', role: 'admin', totp: false });
    expect((await script.get('operators')).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', 'operators', { name: 'made-by-script', role: 'viewer' }],
      ['PATCH', 'operators/boss', { role: 'viewer' }],
      ['POST', 'operators/boss/invite', {}],
      ['POST', 'keys', { name: 'another', role: 'viewer' }],
      ['DELETE', 'keys/nightly', undefined],
    ] as const)
      expect((await script.send(method, path, body)).body.code).toBe('permission_denied');
    expect((await script.post('players/1/sign_out')).body.code).toBe('account_not_found');
    expect((await script.post('me/totp')).body.code).toBe('permission_denied');
    const change = { old_password: 'x', password };
    expect((await script.post('me/password', change)).body.code).toBe('permission_denied');
    const [listed] = (await admin.get('keys')).body.keys;
    expect(listed).toMatchObject({ name: 'nightly', role: 'admin', created_by: 'boss' });
    expect(listed.last_used_at).not.toBeNull();

    await app.db.kysely.updateTable('operator_key').set({ expires_at: 1 }).execute();
    expect((await script.get('me')).status).toBe(401);
    await app.db.kysely.updateTable('operator_key').set({ expires_at: null }).execute();
    expect((await script.get('me')).status).toBe(200);
    expect((await admin.send('DELETE', 'keys/nightly')).status).toBe(200);
    expect((await script.get('me')).status).toBe(401);
    expect((await admin.send('DELETE', 'keys/nightly')).body.code).toBe('not_found');
  });

  test('when the operator who made a key is disabled or no longer an administrator, then the key is revoked', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const made = JSON.parse(
      (await app.cli('operator', 'key', 'add', 'by-host', '--role', 'viewer', '--json')).stdout,
    );
    for (const [name, change] of Object.entries({
      ann: { status: 'disabled' },
      bob: { role: 'manager' },
      eve: { zones: [1] },
    })) {
      const maker = await makeOperator(app, { name });
      const script = keyClient(
        app,
        (await maker.post('keys', { name: `of-${name}`, role: 'viewer' })).body.key,
      );
      expect((await script.get('me')).status).toBe(200);
      expect((await boss.send('PATCH', `operators/${name}`, change)).status).toBe(200);
      expect((await script.get('me')).status).toBe(401);
      const written = (await auditRows(app.db)).slice(-2).map(({ actor, subject_id }) => [actor, subject_id]);
      expect(written.sort()).toEqual([
        ['boss', name],
        ['boss', `of-${name}`],
      ]);
    }
    expect((await keyClient(app, made.key).get('me')).status).toBe(200);
  });

  test('when a key and an operator would have one name, or the only administrator would be invited again, then it is refused', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    await boss.post('keys', { name: 'nightly', role: 'viewer' });
    for (const [path, name] of [
      ['keys', 'boss'],
      ['operators', 'nightly'],
    ] as const)
      expect((await boss.post(path, { name, role: 'viewer' })).body.code).toBe('operator_taken');
    expect(await boss.post('operators/boss/invite')).toMatchObject({
      status: 422,
      body: { code: 'would_lock_out' },
    });
    expect((await boss.get('me')).status).toBe(200);
    // The recovery for an administrator who has lost the second factor.
    expect((await app.cli('operator', 'invite', 'boss')).stdout).toContain('is invited again');
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

test('when the console is switched off or another address calls, then it is as if it did not exist', async () => {
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
