import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { mailText, waitForOutboxMail } from '../../test-support/mail.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { auditRows } from './support/audit.ts';
import { BIND, person, startForumApp } from './support/forum-app.ts';
import { freshBlock, freshName } from './support/fresh.ts';
import { makeOperator } from './support/operator.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { codeAt, moveClock, stopClock, turnOn } from './support/totp.ts';

const FINISH = '/api/login/second_factor';
const auth = { jwt_secret: 'the secret of both instances, 32 bytes' };
const refusal = (code: string, status = 401) => ({ status, body: { code } });
const WRONG = refusal('invalid_credentials');

/** Starts two instances on one database. */
async function openTwo(url: string, settings: Record<string, unknown> = {}) {
  const options = { console: { require_totp: false }, ...settings, auth };
  return { app: await startTestApp(url, options), other: await startTestApp(url, options) };
}

/** Inserts a player directly, because registration would cost a mail, and logs in. */
async function addPlayer(app: TestApp, account = freshName()) {
  const player = {
    account,
    email: `${account}@example.com`,
    password_hash: legacyHash(PASSWORD),
  };
  await app.db.kysely.insertInto('player').values(player).execute();
  return { ...player, token: await logIn(app, account) };
}

const login = (app: TestApp, account: string, address = freshAddress(), password = PASSWORD) =>
  app.from(address).post('/api/login', { account, password });

async function logIn(app: TestApp, account: string): Promise<string> {
  return (await login(app, account)).body.token;
}

async function challengeOf(app: TestApp, account: string, address?: string): Promise<string> {
  const { status, body } = await login(app, account, address);
  expect([status, body.code]).toEqual([401, 'second_factor_required']);
  expect(body).not.toHaveProperty('token');
  return body.challenge;
}

const finish = (app: TestApp, challenge: string, code: string, address = freshAddress()) =>
  app.from(address).post(FINISH, { challenge, code });

const own = (app: TestApp, token: string) => app.get('/api/bind', { token });

/** Waits for a mail that contains the text. */
const waitForNotice = ({ folder }: TestApp, email: string, text: string) =>
  waitForOutboxMail(`${folder}/outbox`, email, [], (raw) => mailText(raw).includes(text));

async function loginsOf(app: TestApp, ...others: TestApp[]) {
  for (const each of [app, ...others]) await each.features.history.flush();
  const rows = await app.db.kysely
    .selectFrom('player_login')
    .select(['kind', 'code'])
    .orderBy('id')
    .execute();
  return rows.map(({ kind, code }) => [kind, ...(code ? [code] : [])].join(' '));
}

describeByTier('two-factor login of players', (engine) => {
  test('when it is on, then a login needs a code: at most one step off, each once on all instances', async () => {
    stopClock();
    const { app, other } = await openTwo(await engine.freshUrl());
    const { account, token } = await addPlayer(app, 'traveller');
    const totp = (path: string, body = {}) => app.post(`/api/account/totp${path}`, body, { token });

    expect(await totp('/confirm', { code: '123456' })).toMatchObject(WRONG);
    const begin = () => totp('', { password: PASSWORD });
    const first = (await begin()).body;
    const { secret, otpauth_url } = (await begin()).body;
    expect(otpauth_url).toBe(
      `otpauth://totp/Gatehouse:traveller?secret=${secret}&issuer=Gatehouse&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await totp('/confirm', { code: await codeAt(first.secret) })).toMatchObject(WRONG);
    expect((await login(app, account)).status).toBe(200);
    const confirmed = await totp('/confirm', { code: await codeAt(secret, -30) });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect(confirmed.headers.get('cache-control')).toBe('no-store');
    expect(await begin()).toMatchObject(refusal('already_bound', 409));
    expect(await totp('/confirm', { code: await codeAt(secret) })).toMatchObject(
      refusal('already_bound', 409),
    );

    const deletionAt = async () => (await app.get('/api/account', { token })).body.deletion_at;
    await app.db.kysely
      .updateTable('player')
      .set({ deletion_at: Date.now() + 60_000 })
      .execute();
    const challenge = await challengeOf(app, account);
    expect(await deletionAt()).not.toBeNull();
    for (const offset of [-60, -30, 60, 90])
      expect(await finish(other, challenge, await codeAt(secret, offset))).toMatchObject(WRONG);
    const last = await finish(other, challenge, await codeAt(secret, 30));
    expect(last).toMatchObject({ status: 200, body: { account: 'traveller', token_type: 'Bearer' } });
    expect(await deletionAt()).toBeNull();
    expect((await app.get('/api/account', { token: last.body.token })).body.two_factor).toEqual({
      enabled: true,
    });
    expect(await finish(app, challenge, String(confirmed.body.recovery_codes[0]))).toMatchObject(WRONG);

    moveClock(4);
    const instances = [app, other, app, other];
    const begun = await Promise.all(instances.map((each) => challengeOf(each, account)));
    const code = await codeAt(secret);
    const once = await Promise.all(begun.map((each, index) => finish(instances[index] ?? app, each, code)));
    expect(once.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const recovery = String(confirmed.body.recovery_codes[1]);
    const spelled = recovery.toUpperCase().replaceAll('-', ' ');
    const left = begun.filter((_, index) => once[index]?.status !== 200);
    const recovered = await Promise.all([
      finish(app, left[0] ?? '', recovery),
      finish(other, left[1] ?? '', spelled),
    ]);
    expect(recovered.map(({ status }) => status).sort()).toEqual([200, 401]);

    const kept = await app.db.kysely.selectFrom('login_challenge').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(challenge);
    const wrong = 'refused wrong_second_factor';
    expect((await loginsOf(app, other)).filter((each) => each === wrong)).toHaveLength(8);
  });

  test('when 100 codes arrive concurrently for one challenge, then five are judged and the right one among them is too late', async () => {
    stopClock();
    const { app, other } = await openTwo(await engine.freshUrl());
    const { account, token } = await addPlayer(app);
    const { secret } = await turnOn(app, token);
    const challenge = await challengeOf(app, account);
    const wrong = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        finish(index % 2 === 0 ? app : other, challenge, `00000${index % 10}`),
      ),
    );
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await loginsOf(app, other)).filter((each) => each.startsWith('refused'))).toHaveLength(5);
    expect(await finish(app, challenge, await codeAt(secret))).toMatchObject(WRONG);
    const fresh = await challengeOf(app, account);
    expect((await finish(other, fresh, await codeAt(secret))).status).toBe(200);
  });

  test.each(['memory', 'redis'] as const)(
    'when ten codes were wrong, counted in %s, then no more are judged from that address, for any challenge',
    async (store) => {
      stopClock();
      const redis = store === 'redis' && { redis: { url: sharedRedisUrl() } };
      const { app, other } = await openTwo(await engine.freshUrl(), { ...redis });
      const { account, token } = await addPlayer(app);
      const { secret } = await turnOn(app, token);
      const address = freshBlock();
      const elsewhere = store === 'redis' ? other : app;
      for (let round = 0; round < 2; round++) {
        const challenge = await challengeOf(app, account, address);
        const guesses = ['000000', '000001', '000002', '000003', '000004'];
        const answers = await Promise.all(
          guesses.map((code, index) => finish(index % 2 ? app : elsewhere, challenge, code, address)),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(401));
      }
      const challenge = await challengeOf(app, account, address);
      const code = await codeAt(secret);
      const late = await finish(elsewhere, challenge, code, address);
      expect(late).toMatchObject(refusal('too_many_attempts', 429));
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(800);
      const removal = { password: PASSWORD, code };
      expect(await app.from(address).post('/api/account/totp/remove', removal, { token })).toMatchObject(
        refusal('too_many_attempts', 429),
      );
      expect((await finish(app, challenge, code)).status).toBe(200);
    },
  );

  test('when the password, the tokens or the five minutes end, then so does a login that waits for its code', async () => {
    stopClock();
    const { app, other } = await openTwo(await engine.freshUrl());
    const { account, email, token } = await addPlayer(app);
    const { secret, recovery } = await turnOn(app, token);
    const boss = await makeOperator(app);
    const { id } = await app.db.kysely.selectFrom('player').select('id').executeTakeFirstOrThrow();

    const old = await challengeOf(app, account);
    await app.db.kysely
      .updateTable('login_challenge')
      .set(({ eb }) => ({ expires_at: eb('expires_at', '-', 5 * 60_000) }))
      .execute();
    expect(await finish(app, old, await codeAt(secret))).toMatchObject(WRONG);

    const signedOut = await challengeOf(other, account);
    await boss.post(`players/${id}/sign_out`, { reason: 'lost phone' });
    expect(await finish(app, signedOut, await codeAt(secret))).toMatchObject(WRONG);

    const replaced = await challengeOf(other, account);
    const password = 'Another-Horse-43';
    const code = await app.code(email, { purpose: 'reset' });
    expect((await app.post('/api/reset_password', { email, code, password })).status).toBe(200);
    expect(await finish(other, replaced, await codeAt(secret))).toMatchObject(WRONG);
    const after = await login(other, account, freshAddress(), password);
    expect(after).toMatchObject(refusal('second_factor_required'));
    await app.db.kysely.updateTable('player').set({ status: 'banned' }).execute();
    expect(await finish(app, after.body.challenge, await codeAt(secret))).toMatchObject(
      refusal('account_suspended', 403),
    );
    await app.db.kysely.updateTable('player').set({ status: 'active' }).execute();
    expect((await finish(app, after.body.challenge, await codeAt(secret))).status).toBe(200);

    const waiting = (await login(other, account, freshAddress(), password)).body.challenge;
    const reset = await boss.post(`players/${id}/reset_password`, { reason: 'lost authenticator' });
    expect(await finish(app, waiting, String(recovery[0]))).toMatchObject(WRONG);
    expect((await login(app, account, freshAddress(), reset.body.temporary_password)).status).toBe(200);
    expect(await app.db.kysely.selectFrom('recovery_code').selectAll().execute()).toEqual([]);
    expect((await auditRows(app.db)).at(-1)).toMatchObject({
      action: 'player.reset_password',
      before: expect.stringContaining('"two_factor":true'),
      after: expect.stringContaining('"two_factor":false'),
    });
  });

  test('when it is turned on, then every token except the session’s own ends, on all instances', async () => {
    stopClock();
    const { app, other } = await openTwo(await engine.freshUrl());
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 1 })
      .execute();
    await expect.poll(() => other.features.zones.cache.all()).toHaveLength(1);
    const { account, email, token, password_hash } = await addPlayer(app);
    const stolen = await logIn(other, account);
    const enter = (each: string) => other.post('/api/enter_game', { server_id: 1 }, { token: each });
    const check = (each: string) => other.post('/api/check', { account, token: each });
    const game = (await enter(stolen)).body.token;
    for (const each of [stolen, game, password_hash]) expect((await check(each)).status).toBe(200);

    const { secret, recovery } = await turnOn(app, token);
    await waitForNotice(app, email, 'Two-factor login was turned on');
    for (const each of [stolen, game, password_hash])
      expect(await check(each)).toMatchObject(refusal('invalid_token'));
    expect(await own(other, stolen)).toMatchObject(refusal('invalid_token'));
    expect(await enter(stolen)).toMatchObject(refusal('invalid_token'));
    expect((await own(other, token)).status).toBe(200);
    expect((await check(token)).status).toBe(200);
    expect((await check((await enter(token)).body.token)).status).toBe(200);

    const remove = (body: object) => other.post('/api/account/totp/remove', body, { token });
    expect(await remove({ password: 'wrong', code: await codeAt(secret) })).toMatchObject(WRONG);
    expect(await remove({ password: PASSWORD, code: '000000' })).toMatchObject(WRONG);
    expect((await remove({ password: PASSWORD, code: await codeAt(secret) })).status).toBe(204);
    expect(await remove({ password: PASSWORD, code: await codeAt(secret, 30) })).toMatchObject(WRONG);
    expect(await remove({ password: PASSWORD, code: String(recovery[0]) })).toMatchObject(WRONG);
    await waitForNotice(other, email, 'Two-factor login was turned off');
    const plain = await logIn(other, account);
    expect((await own(app, plain)).status).toBe(200);

    await turnOn(app, token);
    expect(await own(other, plain)).toMatchObject(refusal('invalid_token'));
    expect((await own(other, token)).status).toBe(200);
    await app.cli('player', 'sign-out', account);
    expect(await own(app, token)).toMatchObject(refusal('invalid_token'));
  });

  test('when a forum login belongs to a player who has it on, then it requires the code, and binds nothing before', async () => {
    stopClock();
    const app = await startForumApp(await engine.freshUrl());
    const { account, token } = await addPlayer(app);
    const { secret } = await turnOn(app, token);
    const bindings = async () => (await own(app, token)).body.bindings.length;
    const ann = person(5, 'Ann');

    const ticket = await app.ticket(ann);
    const challenged = await app.post(BIND, { ticket, account, password: PASSWORD });
    expect(challenged).toMatchObject(refusal('second_factor_required'));
    expect(await finish(app, challenged.body.challenge, '000000')).toMatchObject(WRONG);
    expect(await bindings()).toBe(0);
    expect(await app.post(BIND, { ticket })).toMatchObject(refusal('invalid_ticket', 422));
    const bound = await finish(app, challenged.body.challenge, await codeAt(secret));
    expect(bound).toMatchObject({ status: 200, body: { account } });
    expect(await bindings()).toBe(1);

    const again = await app.post(BIND, { ticket: await app.ticket(ann) });
    expect(again).toMatchObject(refusal('second_factor_required'));
    expect((await finish(app, again.body.challenge, await codeAt(secret, 30))).status).toBe(200);
    const second = { ticket: await app.ticket(person(6)), account, password: PASSWORD };
    expect(await app.post(BIND, second)).toMatchObject(refusal('already_bound', 409));
    expect((await loginsOf(app)).slice(-3)).toEqual(['refused wrong_second_factor', 'forum', 'forum']);

    const taken = await addPlayer(app);
    const { recovery: codes } = await turnOn(app, taken.token);
    const late = { ticket: await app.ticket(person(7)), account: taken.account, password: PASSWORD };
    const { challenge } = (await app.post(BIND, late)).body;
    expect((await app.enter(person(7))).status).toBe(201);
    expect(await finish(app, challenge, String(codes[0]))).toMatchObject(refusal('already_bound', 409));
  });
});

test('when its setup is started without the right password, then it is refused, unless the account has none', async () => {
  const app = await startForumApp(freshSqlite());
  const { token } = await addPlayer(app);
  const begin = (body: object, session: string) => app.post('/api/account/totp', body, { token: session });
  expect(await begin({}, token)).toMatchObject(refusal('invalid_request', 400));
  expect(await begin({ password: 'Not-the-one-42' }, token)).toMatchObject(WRONG);
  expect(await app.db.kysely.selectFrom('two_factor').selectAll().execute()).toEqual([]);
  const byForum = await app.enter(person(8));
  expect((await begin({}, byForum.token)).status).toBe(200);
});

test('when a login needs a code, then the router answers like the fast path', async () => {
  stopClock();
  const app = await startTestApp(freshSqlite());
  const { account, token } = await addPlayer(app);
  await turnOn(app, token);
  const body = { account, password: PASSWORD };
  const [fast, routed] = await Promise.all([app.post('/api/login', body), app.post('/api/login?x=1', body)]);
  const { challenge, request_id, ...same } = fast.body;
  expect(challenge).toMatch(/^[\w-]{43}$/);
  expect(request_id).toBeTruthy();
  expect(routed).toMatchObject({ status: fast.status, body: same });
  expect(routed.body.challenge).not.toBe(challenge);
});

test('when the secret of the service is replaced, then what is resealed works without the old one, and doctor counts the rest', async () => {
  stopClock();
  const url = freshSqlite();
  const [older, newer] = ['the old secret of 32 bytes or more', 'the new secret of 32 bytes or more'];
  const open = (jwt_secret: string | string[]) => startTestApp(url, { auth: { jwt_secret } });
  const first = await open(older);
  const [player, absent] = [await addPlayer(first), await addPlayer(first)];
  const { secret } = await turnOn(first, player.token);
  const lost = await turnOn(first, absent.token);
  await first.cli('zone', 'add', '1', '--name', 'One', '--address', '10.0.0.1', '--port', '7000');
  const { key } = JSON.parse((await first.cli('zone', 'key', 'add', '1', '--json')).stdout);
  const secretsOf = async (app: TestApp) => {
    const findings = JSON.parse((await app.cli('doctor', '--json', '--only', 'database')).stdout);
    return findings.find(({ check }: { check: string }) => check === 'sealed secrets');
  };
  const early = await open(newer);
  const unreadable = { 'two-factor secrets of players': 2, 'zone keys': 1 };
  await expect
    .poll(() => readFileSync(join(early.folder, 'service.log'), 'utf8'))
    .toContain(`"unreadable":${JSON.stringify(unreadable)}`);
  expect(await secretsOf(early)).toMatchObject({
    status: 'failed',
    detail: 'no key opens 2 two-factor secrets of players, 1 zone keys',
  });

  const during = await open([newer, older]);
  const entered = await finish(during, await challengeOf(during, player.account), await codeAt(secret));
  expect(entered.status).toBe(200);
  expect(await secretsOf(during)).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('2 of 3'),
  });
  expect((await during.cli('player', 'reseal')).stdout).toContain('2 secrets resealed');
  const after = await open(newer);
  expect(await secretsOf(after)).toMatchObject({ status: 'ok' });
  expect(await after.features.zones.keys()).toEqual([{ serverId: 1, key }]);
  const again = await finish(after, await challengeOf(after, player.account), await codeAt(secret, 30));
  expect(again.status).toBe(200);
  const code = await codeAt(lost.secret);
  expect((await finish(after, await challengeOf(after, absent.account), code)).status).toBe(200);
});

test('when game servers compare hashes themselves, then the game client still presents the md5 token', async () => {
  stopClock();
  const app = await startTestApp(freshSqlite(), {
    auth: { game_token: 'legacy' },
  });
  const { account, token, password_hash } = await addPlayer(app);
  await turnOn(app, token);
  const checked = await app.post('/api/check', { account, token: password_hash });
  expect(checked).toMatchObject({ status: 200, body: { format: 'legacy' } });
});
