import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

const unlimitedCodes = { code_throttle: { email: { limit: 99, window: 60 } } };

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describeOnEngines('accounts', (engine) => {
  test('when a player registers with the code from the mail, then they are logged in and everything is stored', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.db.kysely.insertInto('agent').values({ agent_id: 7, name: 'Promoter' }).execute();
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 3, name: '三区', address: '127.0.0.1', port: 7000 })
      .execute();
    await vi.waitFor(() => expect(app.features.zones.cache.find(3)).toBeDefined(), 10_000);
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
      password_hash: md5(`${PASSWORD}old-generation-key`),
      email: 'alice@example.com',
      server_id: 3,
      ip: '2001:db8::5',
      device: 'Pixel',
      os: 'Android',
      browse: 'Chrome',
      agent_id: 7,
    });
  });

  test('when the promoter is unknown or malformed, then the sign-up goes on without one', async () => {
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

  test('when a name or an e-mail is taken, then it is refused by field and the code stays good', async () => {
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

  test('when fields do not fit, then each is named and nothing is written', async () => {
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

  test('when the account is unknown or the password wrong, then both say the very same', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('carol');
    const wrong = await app.post('/api/login', { account: 'carol', password: 'wrong' });
    const unknown = await app.post('/api/login', { account: 'nobody_here', password: 'wrong' });
    const { request_id: _a, ...first } = wrong.body;
    const { request_id: _b, ...second } = unknown.body;
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(wrong.headers.get('cache-control')).toBe('no-store');
  });

  test('when an old account with an odd name is inserted by SQL, then it logs in whatever its case', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const hash = md5('oldpwold-generation-key').toUpperCase();
    await sql`insert into player (account, password_hash) values (${'Ölmütz Spieler'}, ${hash})`.execute(
      app.db.kysely,
    );
    expect((await app.post('/api/login', { account: ' Ölmütz SPIELER ', password: 'oldpw' })).status).toBe(
      200,
    );
    expect((await app.post('/api/login', { account: 'ölmütz spieler', password: 'oldpw' })).status).toBe(401);
  });

  test('when an e-mail address is given as the account, then it is the one account that has it, and a name comes first', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('emma', {
      email: 'emma.of.a.long.name.that.goes.on.and.on@a-mail-server.of.the.example.com',
    });
    const password_hash = md5(`${PASSWORD}old-generation-key`);
    await app.db.kysely
      .insertInto('player')
      .values([
        { account: 'twin_one', password_hash, email: 'twin@example.com' },
        { account: 'twin_two', password_hash, email: 'twin@example.com' },
        { account: 'Old@Example.com', password_hash, email: 'other@example.com' },
        { account: 'newer', password_hash: md5('x'), email: 'old@example.com' },
      ])
      .execute();
    const logIn = async (account: string) => {
      const { status, body } = await app
        .from(freshAddress())
        .post('/api/login', { account, password: PASSWORD });
      return status === 200 ? body.account : body.code;
    };
    const long = 'Emma.Of.A.Long.Name.That.Goes.On.And.On@a-mail-server.of.the.Example.com';
    expect(await logIn(` ${long} `)).toBe('emma');
    expect(await logIn('twin@example.com')).toBe('invalid_credentials');
    expect(await logIn('other@example.com')).toBe('Old@Example.com');
    expect(await logIn('old@example.com')).toBe('Old@Example.com');
    expect(await logIn('nobody@example.com')).toBe('invalid_credentials');
    const tooLong = await app.post('/api/login', { account: 'x'.repeat(65), password: PASSWORD });
    expect(tooLong).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'account', message: 'must have at most 64 characters' }] },
    });
  });

  test('when an account is guessed at by its name and by its e-mail address, then the wrong guesses count together', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('faye', { email: 'faye@example.com' });
    const attacker = app.from(freshAddress());
    const statuses = [];
    for (let round = 0; round < 6; round++) {
      const account = ['faye', 'faye@example.com', 'FAYE@Example.com'][round % 3];
      statuses.push((await attacker.post('/api/login', { account, password: 'wrong' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('when a login is wrong, then its answer is not sent before its time, whether the account exists or not', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('gust', { email: 'gust@example.com' });
    for (const account of ['gust', 'nobody', 'gust@example.com', 'nobody@example.com']) {
      const started = performance.now();
      expect((await app.post('/api/login', { account, password: 'wrong' })).status).toBe(401);
      expect(performance.now() - started).toBeGreaterThan(4);
    }
  });

  test('when the password is reset by mail, then the old md5 token and every older JWT stop at once', async () => {
    const app = await startTestApp(await engine.freshUrl(), unlimitedCodes);
    const { token } = await app.register('dave');
    const legacy = md5(`${PASSWORD}old-generation-key`);
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

  test('when an e-mail has several old accounts, then a reset asks which, and keeps the code', async () => {
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

  test('when a player is banned, then login, token and check say why and until when', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('erin');
    const { kysely } = app.db;
    const until = Date.now() + 3600_000;
    await kysely
      .updateTable('player')
      .set({ status: 'banned', ban_reason: '使用外挂', banned_until: until })
      .execute();
    const answers = [
      await app.post('/api/login', { account: 'erin', password: PASSWORD }),
      await app.post('/api/enter_game', { server_id: 1 }, { token }),
      await app.post('/api/check', { account: 'erin', token }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'account_suspended', reason: '使用外挂', until: new Date(until).toISOString() },
      });
      expect(answer.body.detail).toContain('使用外挂');
    }
    expect((await app.post('/api/login', { account: 'erin', password: 'wrong' })).status).toBe(401);
    await kysely
      .updateTable('player')
      .set({ banned_until: Date.now() - 1 })
      .execute();
    expect((await app.post('/api/login', { account: 'erin', password: PASSWORD })).status).toBe(200);
    expect((await app.post('/api/check', { account: 'erin', token })).status).toBe(200);
    await kysely.updateTable('player').set({ token_version: 2 }).execute();
    expect((await app.post('/api/check', { account: 'erin', token })).body.code).toBe('invalid_token');
  });

  test('when registration is closed, then codes for resets still go out', async () => {
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

  test('when throw-away addresses are refused, then registration names the e-mail, and a reset still works with one', async () => {
    const app = await startTestApp(await engine.freshUrl(), { mail: { refuse_disposable: true } });
    const form = {
      account: 'throwaway',
      password: PASSWORD,
      email: 'someone@mailinator.com',
      code: '123456',
    };
    expect((await app.post('/api/register', form)).body.errors).toEqual([
      { field: 'email', message: 'must not be a throw-away address' },
    ]);
    await app.db.kysely.insertInto('player').values({ account: 'old_one', email: form.email }).execute();
    const code = await app.code(form.email);
    const reset = { email: form.email, code, password: PASSWORD };
    expect((await app.post('/api/reset_password', reset)).status).toBe(200);
  });
});
