import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { legacyHash, PASSWORD, startTestApp } from './support/test-app.ts';

const unlimitedCodes = { code_throttle: { email: { limit: 99, window: 60 } } };

describeOnEngines('registration', (engine) => {
  test('when a player registers with the code from the mail, then they are logged in and everything is stored', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.db.kysely.insertInto('agent').values({ agent_id: 7, name: 'Promoter' }).execute();
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 3, name: '三区', address: '127.0.0.1', port: 7000 })
      .execute();
    await expect.poll(() => app.features.zones.cache.find(3)).toBeDefined();
    const code = await app.code(' Alice@Example.com ');
    const form = {
      account: 'Alice_1',
      password: PASSWORD,
      email: 'ALICE@example.com',
      code,
      server_id: 3,
      device: 'Pixel',
      os: 'Android',
      browse: 'Chrome',
    };
    const { status, body } = await app.from('2001:db8::5').post('/api/register?agent_id=7', form);

    expect(status).toBe(201);
    expect(body).toMatchObject({ token_type: 'Bearer', account: 'Alice_1', server_id: 3 });
    const lifetime = Date.parse(body.expires_at) - Date.now();
    expect(lifetime).toBeGreaterThan(23.9 * 3600_000);
    const row = await app.db.kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      account: 'Alice_1',
      password_hash: legacyHash(PASSWORD),
      email: 'alice@example.com',
      server_id: 3,
      ip: '2001:db8::5',
      device: 'Pixel',
      os: 'Android',
      browse: 'Chrome',
      agent_id: 7,
    });
  });

  test('when the promoter is unknown or malformed, then the registration continues without one', async () => {
    const app = await startTestApp(await engine.freshUrl());
    for (const [account, query] of [
      ['promo_a', '?agent_id=999'],
      ['promo_b', '?agent_id=abc%27'],
      ['promo_c', '?agent_id=1&agent_id=2'],
    ] as const) {
      const email = `${account}@example.com`;
      const form = { account, password: PASSWORD, email, code: await app.code(email) };
      expect((await app.post(`/api/register${query}`, form)).status).toBe(201);
    }
    const rows = await app.db.kysely.selectFrom('player').select('agent_id').execute();
    expect(rows.map((row) => row.agent_id)).toEqual([null, null, null]);
  });

  test('when a name or an e-mail is taken, then it is refused by field and the code stays valid', async () => {
    const app = await startTestApp(await engine.freshUrl(), unlimitedCodes);
    await app.register('Bobby', { email: 'bobby@example.com' });
    const code = await app.code('second@example.com');
    const form = { password: PASSWORD, email: 'second@example.com', code };

    const taken = await app.post('/api/register', { ...form, account: 'bOBBY' });
    expect(taken).toMatchObject({
      status: 409,
      body: { code: 'account_taken', errors: [{ field: 'account' }] },
    });
    const reserved = await app.post('/api/register', { ...form, account: 'Admin' });
    expect(reserved).toMatchObject({ status: 409, body: { code: 'account_taken' } });
    expect((await app.post('/api/register', { ...form, account: 'bobby_two' })).status).toBe(201);

    const again = {
      account: 'bobby_three',
      password: PASSWORD,
      email: 'BOBBY@example.com',
      code: await app.code('bobby@example.com'),
    };
    expect(await app.post('/api/register', again)).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
  });

  test('when a new password is short, long, common or the account name, then it is weak', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const email = 'weak@example.com';
    const code = await app.code(email);
    for (const password of ['short', 'x'.repeat(73), 'password1', 'Weak_Name_1']) {
      const { status, body } = await app.post('/api/register', {
        account: 'weak_name_1',
        password,
        email,
        code,
      });
      expect({ password, status, code: body.code }).toEqual({ password, status: 422, code: 'weak_password' });
      expect(body.errors[0].field).toBe('password');
    }
    expect(
      (await app.post('/api/register', { account: 'weak_name_1', password: PASSWORD, email, code })).status,
    ).toBe(201);
  });

  test('when fields are invalid, then each is named and nothing is written', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const cases: [unknown, string][] = [
      [{ account: 'abc', password: PASSWORD, email: 'a@b.cc', code: '1' }, 'account'],
      [{ account: 'with space', password: PASSWORD, email: 'a@b.cc', code: '1' }, 'account'],
      [{ account: 'good_name', password: 12345678, email: 'a@b.cc', code: '1' }, 'password'],
      [{ account: 'good_name', password: PASSWORD, email: 'a@b.cc\r\nBcc: x@y.zz', code: '1' }, 'email'],
      [{ account: 'good_name', password: PASSWORD, email: 'a@b.cc', code: 123456 }, 'code'],
      [{ account: 'good_name', password: PASSWORD, email: 'a@b.cc', code: '1', server_id: '1' }, 'server_id'],
      [
        { account: 'good_name', password: PASSWORD, email: 'a@b.cc', code: '1', token_version: 9 },
        'token_version',
      ],
      [{ account: ['good_name'], password: PASSWORD, email: 'a@b.cc', code: '1' }, 'account'],
      [{ password: PASSWORD, email: 'a@b.cc', code: '1' }, 'account'],
    ];
    for (const [form, field] of cases) {
      const { status, body } = await app.post('/api/register', form);
      expect(status).toBe(400);
      expect(body.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    const malformed = { account: 'no', password: PASSWORD, email: 'nobody', code: '1' };
    expect((await app.post('/api/register', malformed)).body.errors).toEqual([
      { field: 'account', message: 'must have 4 to 24 letters, digits or underscores' },
      { field: 'email', message: 'must be an e-mail address' },
    ]);
    const unknownZone = {
      account: 'good_name',
      password: PASSWORD,
      email: 'a@b.cc',
      code: '1',
      server_id: 99,
    };
    expect((await app.post('/api/register', unknownZone)).body.code).toBe('server_not_found');
    expect(await app.db.kysely.selectFrom('player').select('id').execute()).toEqual([]);
  });

  test('when registration is closed, then codes for resets are still sent', async () => {
    const app = await startTestApp(await engine.freshUrl(), { day_max_reg: 0 });
    const code = await app.code('closed@example.com');
    const closed = await app.post('/api/register', {
      account: 'closed_one',
      password: PASSWORD,
      email: 'closed@example.com',
      code,
    });
    expect(closed).toMatchObject({ status: 429, body: { code: 'registration_cap_reached' } });
    expect(closed.headers.get('retry-after')).toBeTruthy();
    expect((await app.get('/api/config')).body.registration.open).toBe(false);
  });

  test('when throw-away addresses are refused, then registration names the e-mail field, and a reset still works with one', async () => {
    const app = await startTestApp(await engine.freshUrl(), { mail: { refuse_disposable: true } });
    const form = {
      account: 'throwaway',
      password: PASSWORD,
      email: 'someone@mailinator.com',
      code: '123456',
    };
    expect((await app.post('/api/register', form)).body.errors).toEqual([
      { field: 'email', message: 'must not be a disposable address' },
    ]);
    await app.db.kysely.insertInto('player').values({ account: 'old_one', email: form.email }).execute();
    const code = await app.code(form.email);
    const reset = { email: form.email, code, password: PASSWORD };
    expect((await app.post('/api/reset_password', reset)).status).toBe(200);
  });
});
