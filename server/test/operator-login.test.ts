import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { operatorStore } from '../src/features/operators/store.ts';
import { createSealedTexts } from '../src/security/sealer.ts';
import { auditRows } from './support/audit.ts';
import { cookieIn, makeOperator, OPERATOR_PASSWORD, operatorClient } from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';
import { codeAt, stopClock } from './support/totp.ts';

const relaxed = { console: { require_totp: false } };
const password = OPERATOR_PASSWORD;

describeByTier('the login of operators', (engine) => {
  test('when a login is wrong, then every reason gets the same answer and only a known name is recorded', async () => {
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

  test('when logins are guessed, then operators are throttled separately from players', async () => {
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

  test('when the password or the second factor is replaced while a login is checked, then it opens no session', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app, { name: 'boss' });
    await makeOperator(app, { name: 'olga', role: 'viewer' });
    const operators = operatorStore(app.db, createSealedTexts());
    const login = async (name: string) => {
      const checked = await operators.findByName(name);
      return () => app.db.transaction(async (trx) => checked && operators.hold(trx, checked));
    };
    const [ofBoss, ofOlga] = [await login('boss'), await login('olga')];
    expect([await ofBoss(), await ofOlga()]).toEqual([true, true]);

    const { secret } = (await boss.post('me/totp')).body;
    expect((await boss.post('me/totp/confirm', { code: await codeAt(secret) })).status).toBe(200);
    expect(await ofBoss()).toBe(false);
    expect((await boss.post('operators/olga/invite')).status).toBe(200);
    expect(await ofOlga()).toBe(false);
  });

  test('when two-factor login is on, then each code is valid once on all instances, at most one step off', async () => {
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

  test('when the password of an operator with a second factor was guessed, then omitting the code clears no count', async () => {
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

  test('when a session is idle or old, then it has ended by the database clock', async () => {
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
});
