import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp } from './support/test-app.ts';

const unlimitedCodes = { code_throttle: { email: { limit: 99, window: 60 } } };

describeByTier('reset of a password', (engine) => {
  test('when the password is reset by mail, then the old md5 token and every older JWT end immediately', async () => {
    const app = await startTestApp(await engine.freshUrl(), unlimitedCodes);
    const { token } = await app.register('dave');
    const legacy = legacyHash(PASSWORD);
    expect((await app.get(`/api/check?account=DAVE&token=${legacy}`)).body).toMatchObject({
      valid: true,
      account: 'dave',
      format: 'legacy',
    });
    const check = { account: 'dave', token, t: '1', sign: 'x' };
    expect((await app.get(`/api/check?${new URLSearchParams(check)}`)).status).toBe(200);
    expect((await app.form('/api/check', check)).status).toBe(200);
    expect((await app.post('/api/check', check)).status).toBe(400);
    expect((await app.form('/api/check', { account: 'dave', token })).body).toMatchObject({
      valid: true,
      format: 'jwt',
    });

    const code = await app.code('dave@example.com');
    const reset = await app.post('/api/reset_password', {
      email: 'dave@example.com',
      code,
      password: 'Another-Horse-43',
    });
    expect(reset).toMatchObject({ status: 200, body: { account: 'dave' } });
    const { reset_at } = await app.db.kysely
      .selectFrom('player')
      .select('reset_at')
      .executeTakeFirstOrThrow();
    expect(reset_at).toBeGreaterThan(Date.now() - 60_000);

    const guarded = await app.post('/api/enter_game', { server_id: 1 }, { token });
    expect(guarded).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
    expect(guarded.headers.get('www-authenticate')).toBe('Bearer');
    expect((await app.post('/api/check', { account: 'dave', token })).status).toBe(401);
    expect((await app.post('/api/check', { account: 'dave', token: legacy })).status).toBe(401);
    expect((await app.post('/api/login', { account: 'dave', password: PASSWORD })).status).toBe(401);
    expect((await app.post('/api/login', { account: 'dave', password: 'Another-Horse-43' })).status).toBe(
      200,
    );
    const reuse = await app.post('/api/reset_password', {
      email: 'dave@example.com',
      code,
      password: 'Another-Horse-44',
    });
    expect(reuse).toMatchObject({ status: 422, body: { code: 'invalid_code' } });
  });

  test('when logins from an address were refused, then its owner can log in after a reset from there', async () => {
    const app = await startTestApp(await engine.freshUrl(), unlimitedCodes);
    await app.register('erin');
    const home = app.from(freshAddress());
    const login = (password: string) => home.post('/api/login', { account: 'erin', password });
    for (let round = 0; round < 5; round++) await login('forgotten');
    expect((await login(PASSWORD)).status).toBe(429);
    const form = { email: 'erin@example.com', code: await app.code('erin@example.com') };
    for (let round = 0; round < 6; round++) {
      const weak = await home.post('/api/reset_password', { ...form, password: 'password' });
      expect([weak.status, weak.body.code]).toEqual([422, 'weak_password']);
    }
    const reset = await home.post('/api/reset_password', { ...form, password: 'Another-Horse-43' });
    expect(reset.status).toBe(200);
    expect((await login('Another-Horse-43')).status).toBe(200);
  });

  test('when several old accounts share an e-mail, then a reset asks which, and keeps the code', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { kysely } = app.db;
    for (const account of ['old_one', 'old_two'])
      await kysely.insertInto('player').values({ account, email: 'shared@example.com' }).execute();
    const code = await app.code('shared@example.com');
    const form = { email: 'shared@example.com', code, password: PASSWORD };
    expect(await app.post('/api/reset_password', form)).toMatchObject({
      status: 422,
      body: { code: 'account_required' },
    });
    expect(await app.post('/api/reset_password', { ...form, account: 'stranger' })).toMatchObject({
      status: 404,
      body: { code: 'account_not_found' },
    });
    expect((await app.post('/api/reset_password', { ...form, account: 'OLD_TWO' })).body).toEqual({
      account: 'old_two',
    });

    const nobody = {
      email: 'nobody@example.com',
      code: await app.code('nobody@example.com'),
      password: PASSWORD,
    };
    expect(await app.post('/api/reset_password', nobody)).toMatchObject({
      status: 404,
      body: { code: 'account_not_found' },
    });
  });
});

test('when the e-mail address changes while a code of the old one is checked, then the old mailbox resets nothing', async () => {
  const app = await startTestApp(freshSqlite(), unlimitedCodes);
  const { token } = await app.register('dave');
  const code = await app.code('dave@example.com', { purpose: 'reset' });
  await sql`create trigger moved_meanwhile after update of used_at on verify
    begin update player set email = 'new@example.com', email_key = 'new@example.com'; end`.execute(
    app.db.kysely,
  );
  const form = { email: 'dave@example.com', code, password: 'Another-Horse-43' };
  const reset = await app.post('/api/reset_password', form);
  expect(reset).toMatchObject({ status: 422, body: { code: 'invalid_code' } });
  expect((await app.get('/api/account', { token })).status).toBe(200);
  expect((await app.post('/api/login', { account: 'dave', password: PASSWORD })).status).toBe(200);
});
