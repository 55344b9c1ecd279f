import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';
import { codeAt, moveClock, stopClock, turnOn } from './support/totp.ts';

const NEW_PASSWORD = 'Brand-New-Horse-7';
const settings = {
  console: { require_totp: false },
  code_throttle: { email: { limit: 99, window: 60 } },
};

describeByTier('players’ changes to their accounts', (engine) => {
  test('when a player resets the password, changes the e-mail and requests deletion, then operators see each with its origin', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    await app.register('Alice');
    await app.post('/api/reset_password', {
      email: 'alice@example.com',
      code: await app.code('alice@example.com'),
      password: NEW_PASSWORD,
    });
    const login = { account: 'alice', password: NEW_PASSWORD };
    const { token } = (await app.post('/api/login', login)).body;
    await app.post('/api/account/password', { old_password: 'not-the-one-1', password: PASSWORD }, { token });
    const email = 'thief@example.com';
    const form = { email, code: await app.code(email, { purpose: 'email' }), password: NEW_PASSWORD };
    expect((await app.post('/api/account/email', form, { token })).status).toBe(200);
    const goodbye = { code: await app.code(email, { purpose: 'delete' }), password: NEW_PASSWORD };
    expect((await app.post('/api/account/delete', goodbye, { token })).status).toBe(200);
    const again = await app.post('/api/login', login);
    expect(again.body).toMatchObject({ account: 'Alice', deletion_cancelled: true });
    expect((await app.post('/api/login', login)).body).not.toHaveProperty('deletion_cancelled');
    await app.features.history.flush();

    const boss = await makeOperator(app);
    const { body } = await boss.get('players/1');
    expect(body.events.map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail])).toEqual([
      ['deletion_cancelled', null],
      ['deletion', null],
      ['email', 'alice@example.com'],
      ['password_reset', null],
    ]);
    expect(body.events[0]).toMatchObject({
      ip: expect.stringMatching(/^198\.18\./),
      at: expect.stringMatching(/Z$/),
    });
    expect(body.logins.map(({ code }: { code: string }) => code)).toContain('wrong_current_password');
    const viewer = await makeOperator(app, { name: 'viewer', role: 'viewer' });
    const masked = (await viewer.get('players/1')).body.events;
    expect(masked[2]).toMatchObject({
      kind: 'email',
      detail: 'a***@example.com',
      ip: expect.stringMatching(/\.\*$/),
    });

    // A victim knows only the former address.
    const found = async (operator: typeof boss, q: string) =>
      (await operator.get(`players?q=${q}`)).body.players.map(({ account }: { account: string }) => account);
    expect(await found(boss, 'Alice@example.com')).toEqual(['Alice']);
    expect(await found(boss, email)).toEqual(['Alice']);
    expect(await found(viewer, 'alice@example.com')).toEqual([]);
    await app.register('Bobby', { email: 'alice@example.com' });
    expect(await found(boss, 'alice@example.com')).toEqual(['Bobby', 'Alice']);
    const { next } = (await boss.get('players?q=alice@example.com&limit=1')).body;
    const second = (await boss.get(`players?q=alice@example.com&limit=1&cursor=${next}`)).body;
    expect(second).toMatchObject({ players: [{ account: 'Alice' }], next: null });
    const ofOtherZone = await makeOperator(app, { name: 'ann', role: 'support', zones: [3] });
    expect(await found(ofOtherZone, 'alice@example.com')).toEqual([]);

    const exported = (await app.get('/api/account/export', { token: again.body.token })).body;
    expect(exported.account_events).toHaveLength(4);
  });

  test('when the deletion is cancelled on the page, then no login is needed; with two-factor login it requires a code', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register('Alice');
    const { secret } = await turnOn(app, token);
    moveClock(2);
    const goodbye = { code: await app.code('alice@example.com', { purpose: 'delete' }), password: PASSWORD };
    const remove = (more: object) => app.post('/api/account/delete', { ...goodbye, ...more }, { token });
    expect((await remove({})).body.code).toBe('second_factor_required');
    expect((await remove({ second_factor: '000000' })).body.code).toBe('invalid_credentials');
    expect((await remove({ second_factor: await codeAt(secret) })).status).toBe(200);
    const kept = await app.post('/api/account/delete/cancel', {}, { token });
    expect(kept.body).toMatchObject({ account: 'Alice', deletion_at: null, recovery_codes_left: 10 });
    expect((await app.post('/api/account/delete/cancel', {}, { token })).status).toBe(200);
  });

  test('when recovery codes are renewed, then only the new ones work', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register('Alice');
    const { secret, recovery: old } = await turnOn(app, token);
    moveClock(2);
    const renew = (code: string) => app.post('/api/account/totp/recovery_codes', { code }, { token });
    expect((await renew('000000')).body.code).toBe('invalid_credentials');
    const { status, body } = await renew(await codeAt(secret));
    expect([status, body.recovery_codes.length]).toEqual([200, 10]);
    expect((await renew(String(old[0]))).body.code).toBe('invalid_credentials');
    expect((await renew(body.recovery_codes[0])).status).toBe(200);
  });

  test('when an operator resets a password, then the login says that it is temporary until another one is set', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    await app.register('Alice');
    const boss = await makeOperator(app);
    const { body } = await boss.post('players/1/reset_password', { reason: 'lost' });
    const temporary = body.temporary_password;
    const login = await app.post('/api/login', { account: 'alice', password: temporary });
    expect(login.body).toMatchObject({ password_temporary: true });
    const { token } = login.body;
    expect((await app.get('/api/account', { token })).body).toMatchObject({ password_temporary: true });
    const change = (password: string) =>
      app.post('/api/account/password', { old_password: temporary, password }, { token });
    const same = await change(temporary);
    expect([same.status, same.body.code, same.body.errors[0].field]).toEqual([
      422,
      'weak_password',
      'password',
    ]);
    expect((await change(NEW_PASSWORD)).body).not.toHaveProperty('password_temporary');
    const next = await app.post('/api/login', { account: 'alice', password: NEW_PASSWORD });
    expect(next.body).not.toHaveProperty('password_temporary');
  });

  test('when an operator resets only two-factor login, then the password stays and every token ends', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register('Alice');
    await turnOn(app, token);
    const boss = await makeOperator(app);
    const reset = () => boss.post('players/1/reset_two_factor', { reason: 'lost the phone' });
    const resetAt = async () =>
      (await app.db.kysely.selectFrom('player').select('reset_at').executeTakeFirstOrThrow()).reset_at;
    expect(await resetAt()).toBeNull();
    expect((await reset()).body).toMatchObject({ account: 'Alice', audit_id: expect.any(String) });
    // Withdrawals are held as after a new password.
    expect(await resetAt()).not.toBeNull();
    expect((await app.get('/api/account', { token })).status).toBe(401);
    expect((await app.post('/api/login', { account: 'alice', password: PASSWORD })).status).toBe(200);
    expect((await reset()).body.audit_id).toBeNull();
    expect((await boss.post('players/1/reset_two_factor', {})).status).toBe(400);
  });

  test('when an operator mutes a player, then check reports it to game servers until it ends or is lifted', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register('Alice');
    const boss = await makeOperator(app);
    const check = async () => (await app.post('/api/check', { account: 'alice', token })).body;
    const plain = await check();
    expect(plain).not.toHaveProperty('muted_until');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await boss.post('players/1/mute', { reason: 'spam' })).status).toBe(400);
    expect(
      (await boss.post('players/1/mute', { reason: 'spam', until: '2020-01-01T00:00:00Z' })).status,
    ).toBe(400);
    expect((await boss.post('players/1/mute', { reason: 'spam', until })).status).toBe(200);
    expect(await check()).toEqual({ ...plain, muted_until: until, mute_reason: 'spam' });
    expect((await boss.get('players/1')).body).toMatchObject({ muted_until: until, mute_reason: 'spam' });
    await app.db.kysely
      .updateTable('player')
      .set({ muted_until: Date.now() - 1000 })
      .execute();
    expect(await check()).toEqual(plain);
    await boss.post('players/1/mute', { reason: 'spam', until });
    expect((await boss.post('players/1/unmute', { reason: 'sorry' })).status).toBe(200);
    expect(await check()).toEqual(plain);
    const actions = (await auditRows(app.db)).map(({ action }) => action);
    expect(actions.filter((action) => action.endsWith('mute'))).toEqual([
      'player.mute',
      'player.mute',
      'player.unmute',
    ]);
  });
});
