import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { mailText, readOutbox, waitForOutboxMail } from '../../test-support/mail.ts';
import { person, startForumApp } from './support/forum-app.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { stopClock, turnOn } from './support/totp.ts';

const NEW_PASSWORD = 'Brand-New-Horse-7';
const codesAtWill = { code_throttle: { email: { limit: 99, window: 60 } } };
const refused = (status: number, code: string) => ({ status, body: { code } });

async function playerOf({ db }: TestApp, account: string) {
  return db.kysely.selectFrom('player').selectAll().where('account', '=', account).executeTakeFirstOrThrow();
}

describeByTier('the player’s own account', (engine) => {
  test('when it is read, then it has everything the page shows, and no secret', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('Alice');
    const { status, body, headers } = await app.get('/api/account', { token });
    expect([status, body]).toEqual([
      200,
      {
        account: 'Alice',
        email: 'alice@example.com',
        created_at: expect.stringMatching(/^2\d{3}-.*Z$/),
        last_login_at: null,
        two_factor: { enabled: false },
        deletion_at: null,
        has_password: true,
        may_choose_name: false,
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await app.get('/api/account')).toMatchObject(refused(401, 'invalid_token'));

    const logIn = await app.post('/api/login', { account: 'Alice', password: PASSWORD });
    const account = async () => (await app.get('/api/account', { token: logIn.body.token })).body;
    await expect.poll(async () => (await account()).last_login_at).toMatch(/Z$/);
  });

  test('when the password is changed on one instance, then every other token, ticket and md5 token is refused on the others immediately', async () => {
    const url = await engine.freshUrl();
    const settings = { auth: { jwt_secret: 'the same secret on every instance' } };
    const app = await startTestApp(url, settings);
    const ticketed = await startTestApp(url, { auth: { ...settings.auth, game_token: 'ticket' } });
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'zone', address: '10.1.1.1', port: 7000 })
      .execute();
    for (const { features } of [app, ticketed])
      await expect.poll(() => features.zones.cache.all()).toHaveLength(1);
    const { token } = await app.register('Alice');
    const other = (await ticketed.post('/api/login', { account: 'alice', password: PASSWORD })).body.token;
    const enter = async (instance: TestApp) =>
      (await instance.post('/api/enter_game', { server_id: 1 }, { token: other })).body.token;
    const [gameToken, ticket] = [await enter(app), await enter(ticketed)];
    const check = async (instance: TestApp, shown: string) =>
      (await instance.from(freshAddress()).post('/api/check', { account: 'Alice', token: shown })).status;
    expect(await check(ticketed, legacyHash(PASSWORD))).toBe(200);
    expect(await check(ticketed, gameToken)).toBe(200);

    const changed = await app.post(
      '/api/account/password',
      { old_password: PASSWORD, password: NEW_PASSWORD },
      { token },
    );
    expect(changed).toMatchObject({ status: 200, body: { account: 'Alice', token_type: 'Bearer' } });
    for (const instance of [app, ticketed]) {
      for (const ended of [token, other])
        expect((await instance.get('/api/account', { token: ended })).status).toBe(401);
      for (const ended of [token, other, gameToken, ticket, legacyHash(PASSWORD)])
        expect(await check(instance, ended)).toBe(401);
      expect((await instance.get('/api/account', { token: changed.body.token })).status).toBe(200);
      expect(await check(instance, legacyHash(NEW_PASSWORD))).toBe(200);
    }
    const login = (password: string) => ticketed.post('/api/login', { account: 'alice', password });
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    await waitForOutboxMail(`${app.folder}/outbox`, 'alice@example.com', [], (raw) =>
      mailText(raw).includes('The password was changed'),
    );
  });

  test('when two-factor login was just turned on, then the same session can change the password, which is sealed if there is a key', async () => {
    stopClock();
    const app = await startTestApp(await engine.freshUrl(), { auth: { seal_key: 's'.repeat(32) } });
    const { token } = await app.register('Alice');
    await turnOn(app, token);
    expect((await app.get('/api/account', { token })).body.two_factor).toEqual({ enabled: true });
    const form = { old_password: PASSWORD, password: NEW_PASSWORD };
    const changed = await app.post('/api/account/password', form, { token });
    expect(changed.status).toBe(200);
    expect((await app.get('/api/account', { token })).status).toBe(401);
    expect((await app.get('/api/account', { token: changed.body.token })).status).toBe(200);
    expect((await playerOf(app, 'Alice')).password_hash).toMatch(/^s1:/);
    const login = await app.post('/api/login', { account: 'alice', password: NEW_PASSWORD });
    expect(login.body.code).toBe('second_factor_required');
  });

  test('when the old password is missing, wrong or guessed, or the new one is weak, then nothing changes', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('Alice');
    const address = app.from(freshAddress());
    const change = (body: object) => address.post('/api/account/password', body, { token });
    expect(await change({ password: NEW_PASSWORD })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'old_password' }] },
    });
    const before = await playerOf(app, 'Alice');
    for (const weak of ['short', 'Alice', 'password123'])
      expect(await change({ old_password: PASSWORD, password: weak })).toMatchObject(
        refused(422, 'weak_password'),
      );
    for (let i = 0; i < 5; i++)
      expect(await change({ old_password: `wrong-${i}`, password: NEW_PASSWORD })).toMatchObject(
        refused(401, 'invalid_credentials'),
      );
    // Counted with failed logins: the right password is no longer judged, neither here nor there.
    const right = { old_password: PASSWORD, password: NEW_PASSWORD };
    expect(await change(right)).toMatchObject(refused(429, 'too_many_attempts'));
    expect((await address.post('/api/login', { account: 'alice', password: PASSWORD })).status).toBe(429);
    expect(await playerOf(app, 'Alice')).toEqual(before);
    const kinds = async () => {
      await app.features.history.flush();
      const { logins } = (await app.get('/api/account/logins', { token })).body;
      return logins.map(({ kind }: { kind: string }) => kind);
    };
    // Includes the throttled ones.
    await expect.poll(kinds).toEqual([...Array(7).fill('refused'), 'register']);
  });

  test('when a player signs out everywhere, then only the new token is valid; at most ten times a minute', async () => {
    const app = await startTestApp(await engine.freshUrl());
    let { token } = await app.register('Alice');
    const other = (await app.post('/api/login', { account: 'alice', password: PASSWORD })).body.token;
    for (let i = 0; i < 10; i++) {
      const { status, body } = await app.post('/api/account/sign_out_everywhere', {}, { token });
      expect(status).toBe(200);
      expect((await app.get('/api/account', { token })).status).toBe(401);
      token = body.token;
    }
    expect((await app.get('/api/account', { token: other })).status).toBe(401);
    expect((await app.get('/api/account', { token })).status).toBe(200);
    expect(await app.post('/api/account/sign_out_everywhere', {}, { token })).toMatchObject(
      refused(429, 'too_many_attempts'),
    );
  });

  test('when a session is renewed without the password, then the new one ends when the old one would', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('Alice');
    const { id } = await playerOf(app, 'Alice');
    const ends = Math.floor(Date.now() / 1000) + 600;
    const { token } = app.security.tokens.issue({ playerId: id, account: 'Alice', version: 0 }, ends);
    const renewed = await app.post('/api/account/sign_out_everywhere', {}, { token });
    expect(renewed.status).toBe(200);
    expect(Date.parse(renewed.body.expires_at)).toBe(ends * 1000);
    await waitForOutboxMail(`${app.folder}/outbox`, 'alice@example.com', [], (raw) =>
      mailText(raw).includes('All other devices were signed out'),
    );
    expect(app.security.tokens.verify(renewed.body.token)?.expiresAt).toBe(ends);

    const form = { old_password: PASSWORD, password: NEW_PASSWORD };
    const proven = await app.post('/api/account/password', form, { token: renewed.body.token });
    expect(Date.parse(proven.body.expires_at)).toBeGreaterThan(ends * 1000);
  });

  test('when a player changes the password repeatedly, then ten times an hour are allowed, each with a mail; refused ones do not count', async () => {
    const app = await startTestApp(await engine.freshUrl());
    let { token } = await app.register('Alice');
    const password = (i: number) => (i === 0 ? PASSWORD : `Brand-New-Horse-${i}`);
    const change = (from: number, to: string) =>
      app.post('/api/account/password', { old_password: password(from), password: to }, { token });
    for (let i = 0; i < 10; i++) {
      expect((await change(i, 'short')).status).toBe(422);
      const { status, body } = await change(i, password(i + 1));
      expect(status).toBe(200);
      token = body.token;
    }
    expect(await change(10, password(11))).toMatchObject(refused(429, 'too_many_attempts'));
    await app.features.notices.idle();
    const mails = readOutbox(`${app.folder}/outbox`).map(mailText);
    expect(mails.filter((text) => text.includes('The password was changed'))).toHaveLength(10);
    expect((await app.post('/api/login', { account: 'alice', password: password(10) })).status).toBe(200);
  });

  test('when two changes use one token concurrently, then one of them takes effect', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('Alice');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.post('/api/account/sign_out_everywhere', {}, { token })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401]);
    expect((await playerOf(app, 'Alice')).token_version).toBe(1);
  });

  test('when the e-mail address is changed, then it needs a code and the password, and the old address is notified', async () => {
    const app = await startTestApp(await engine.freshUrl(), codesAtWill);
    const { token } = await app.register('Alice');
    await app.register('Bobby');
    const email = 'New@example.com';
    const change = (body: object) =>
      app.from(freshAddress()).post('/api/account/email', { email, password: PASSWORD, ...body }, { token });

    const forReset = await app.code(email, { purpose: 'reset' });
    expect(await change({ code: forReset })).toMatchObject(refused(422, 'invalid_code'));
    const code = await app.code(email, { purpose: 'email' });
    expect(await change({ code, password: 'wrong' })).toMatchObject(refused(401, 'invalid_credentials'));
    expect(await change({ code, password: undefined })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'password' }] },
    });
    const bobs = await app.code('bobby@example.com', { purpose: 'email' });
    expect(await change({ email: 'bobby@example.com', code: bobs })).toMatchObject(
      refused(409, 'email_taken'),
    );
    expect(await change({ code })).toMatchObject({ status: 200, body: { email: 'new@example.com' } });
    expect(await change({ code })).toMatchObject(refused(422, 'invalid_code'));
    expect(await playerOf(app, 'Alice')).toMatchObject({
      email: 'new@example.com',
      email_key: 'new@example.com',
      reset_at: expect.any(Number),
    });
    expect((await app.get('/api/account', { token })).status).toBe(200);
    await waitForOutboxMail(`${app.folder}/outbox`, 'alice@example.com', [], (raw) =>
      mailText(raw).includes('new@example.com'),
    );
    const byMail = { account: 'new@example.com', password: PASSWORD };
    expect((await app.post('/api/login', byMail)).status).toBe(200);
  });

  test('when two accounts take one address concurrently, then one gets it', async () => {
    const app = await startTestApp(await engine.freshUrl(), codesAtWill);
    const tokens = [(await app.register('Alice')).token, (await app.register('Bob_')).token];
    const email = 'wanted@example.com';
    const code = await app.code(email, { purpose: 'email' });
    const answers = await Promise.all(
      tokens.map((token) => app.post('/api/account/email', { email, code, password: PASSWORD }, { token })),
    );
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    expect(answers.map(({ status }) => status)).toContain(200);
  });

  test('when a forum made the account, then it gets its first password, address and name without a password, once', async () => {
    const app = await startForumApp(await engine.freshUrl(), codesAtWill);
    const { token, account: given } = await app.enter(person(5, 'Ann Lee'));
    await app.register('Taken');
    const own = async (session: string) => (await app.get('/api/account', { token: session })).body;
    expect(await own(token)).toMatchObject({
      account: 'Ann_Lee',
      email: null,
      has_password: false,
      may_choose_name: true,
    });
    const code = await app.code('ann@example.com', { purpose: 'email' });
    expect(await app.post('/api/account/email', { email: 'ann@example.com', code }, { token })).toMatchObject(
      { status: 200, body: { email: 'ann@example.com' } },
    );
    const name = (account: string, session: string) =>
      app.post('/api/account/name', { account }, { token: session });
    expect(await name('taken', token)).toMatchObject(refused(409, 'account_taken'));
    expect(await name('Admin', token)).toMatchObject(refused(409, 'account_taken'));
    expect(await name('no', token)).toMatchObject(refused(400, 'invalid_request'));
    const named = await name('Annie', token);
    expect(named).toMatchObject({ status: 200, body: { account: 'Annie' } });
    expect((await app.get('/api/account', { token })).status).toBe(401);
    const { token: renewed } = named.body;
    expect(await own(renewed)).toMatchObject({ account: 'Annie', may_choose_name: false });
    expect(await name('Another', renewed)).toMatchObject(refused(409, 'already_bound'));

    const first = await app.post('/api/account/password', { password: NEW_PASSWORD }, { token: renewed });
    expect(first.status).toBe(200);
    expect(await own(first.body.token)).toMatchObject({ has_password: true });
    expect((await app.post('/api/login', { account: 'annie', password: NEW_PASSWORD })).status).toBe(200);
    const second = { password: `${NEW_PASSWORD}-2` };
    expect(await app.post('/api/account/password', second, { token: first.body.token })).toMatchObject(
      refused(400, 'invalid_request'),
    );

    // The game may still have roles under the released name.
    const again = { account: given, password: PASSWORD, email: 'thief@example.com' };
    const thief = await app.post('/api/register', { ...again, code: await app.code('thief@example.com') });
    expect(thief).toMatchObject(refused(409, 'account_taken'));
    expect((await app.enter(person(6, 'Ann Lee'))).account).toMatch(/^Ann_Lee_\d{4}$/);
  });

  test('when a registered account requests another name, then it is refused', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('Alice');
    expect(await app.post('/api/account/name', { account: 'Alicia' }, { token })).toMatchObject(
      refused(409, 'already_bound'),
    );
  });

  test('when logins are listed, then they are the last fifty, newest first', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('Alice');
    await app.register('Bob_');
    const { id } = await playerOf(app, 'Alice');
    await app.features.history.flush();
    const rows = Array.from({ length: 60 }, (_, n) => ({
      player_id: id,
      at: Date.now() + n * 1000,
      kind: 'enter',
      server_id: n,
      ip: '203.0.113.9',
      agent: 'Firefox',
    }));
    await app.db.kysely.insertInto('player_login').values(rows).execute();
    const { logins } = (await app.get('/api/account/logins', { token })).body;
    expect(logins).toHaveLength(50);
    expect(logins[0]).toEqual({
      at: new Date(rows[59]?.at ?? 0).toISOString(),
      kind: 'enter',
      ip: '203.0.113.9',
      agent: 'Firefox',
      server_id: 59,
    });
  });
});
