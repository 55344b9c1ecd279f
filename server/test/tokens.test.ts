import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { overlayEnvironment } from '../src/settings/environment.ts';
import { parseSettings } from '../src/settings/load.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const secret = 'a-secret-of-more-than-32-bytes-for-tests';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

function signed(payload: object, header: object = {}, key = secret): string {
  const content = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(payload)}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

/** Returns a player's token as issued before tokens had an audience. */
function withoutAudience(token: string): string {
  const { aud: _aud, ...payload } = payloadOf(token);
  return signed(payload);
}

async function addZone({ db, features }: TestApp): Promise<void> {
  await db.kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'One', address: '203.0.113.9', port: 7000 })
    .execute();
  await expect.poll(() => features.zones.cache.find(1)).toBeDefined();
}

describeByTier('tokens', (engine) => {
  test('when a player enters the game, then the token handed out is valid at check only, for as long as the session', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      auth: { jwt_secret: secret },
      code_throttle: { email: { limit: 9, window: 60 } },
    });
    await addZone(app);
    const { token: session } = await app.register('entering');
    const entered = await app.post('/api/enter_game', { server_id: 1 }, { token: session });
    const { token } = entered.body;

    expect(payloadOf(session)).toMatchObject({ aud: 'player' });
    expect(payloadOf(token)).toMatchObject({
      aud: 'game',
      ver: payloadOf(session).ver,
      exp: payloadOf(session).exp,
      sub: payloadOf(session).sub,
    });
    expect(payloadOf(token).jti).not.toBe(payloadOf(session).jti);
    expect((await app.post('/api/check', { account: 'entering', token })).body).toMatchObject({
      valid: true,
      format: 'jwt',
    });
    for (const refused of [
      await app.post('/api/enter_game', { server_id: 1 }, { token }),
      await app.post('/api/game/withdraw', { server_id: 1, role: 1, amount: 1 }, { token }),
      await app.get('/api/game/roles?server_id=1', { token }),
      await app.get('/api/game/withdrawals', { token }),
      await app.get('/api/bind', { token }),
    ])
      expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
    const reset = await app.code('entering@example.com');
    await app.post('/api/reset_password', {
      email: 'entering@example.com',
      code: reset,
      password: 'Another-Horse-43',
    });
    expect((await app.post('/api/check', { account: 'entering', token })).status).toBe(401);
  });

  test('when a token has no audience, as before the upgrade, then it is valid; with another audience it is not', async () => {
    const app = await startTestApp(await engine.freshUrl(), { auth: { jwt_secret: secret } });
    const { token } = await app.register('upgraded');
    const old = withoutAudience(token);
    expect((await app.get('/api/bind', { token: old })).status).toBe(200);
    expect((await app.post('/api/check', { account: 'upgraded', token: old })).status).toBe(200);
    for (const aud of ['operator', '', null, ['player'], ['game', 'player'], { player: true }]) {
      const other = signed({ ...payloadOf(token), aud });
      expect((await app.get('/api/bind', { token: other })).status).toBe(401);
      expect((await app.post('/api/check', { account: 'upgraded', token: other })).status).toBe(401);
    }
    expect(headerOf(token)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
  });
});

test('when the player logs out, then the game token of that session is refused at check, and that of another is not', async () => {
  const app = await startTestApp(freshSqlite());
  await addZone(app);
  const ended = await app.register('leaving');
  const other = (await app.post('/api/login', { account: 'leaving', password: PASSWORD })).body;
  const gameTokenOf = async ({ token }: { token: string }) =>
    (await app.post('/api/enter_game', { server_id: 1 }, { token })).body.token;
  const tokens = [await gameTokenOf(ended), await gameTokenOf(other)];
  const statuses = () =>
    Promise.all(
      tokens.map(async (token) => (await app.post('/api/check', { account: 'leaving', token })).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  await app.post('/api/logout', {}, { token: ended.token });
  expect(await statuses()).toEqual([401, 200]);
});

test('when the secret is replaced by a list of the new and the old one, then tokens of both are valid and new ones name their key', async () => {
  const url = freshSqlite();
  const fresh = 'the-secret-that-takes-over-from-the-other';
  const before = await startTestApp(url, { auth: { jwt_secret: secret } });
  const { token: old } = await before.register('rotated');
  const code = await before.code('later@example.com');
  const withoutKeyId = signed(payloadOf(old));

  const after = await startTestApp(url, { auth: { jwt_secret: [fresh, secret] } });
  const login = await after.post('/api/login', { account: 'rotated', password: PASSWORD });
  expect(headerOf(login.body.token).kid).toMatch(/^[\w-]{8}$/);
  expect(headerOf(login.body.token).kid).not.toBe(headerOf(old).kid);
  for (const token of [login.body.token, old, withoutKeyId])
    expect((await after.get('/api/bind', { token })).status).toBe(200);
  const form = { account: 'later_one', password: PASSWORD, email: 'later@example.com', code };
  expect((await after.post('/api/register', form)).status).toBe(201);

  const names = (kid: string) => signed(payloadOf(old), { kid }, 'a-secret-that-nobody-has-configured-here');
  for (const token of [names(headerOf(old).kid), names('../../dev/null'), names('')])
    expect((await after.get('/api/bind', { token })).status).toBe(401);

  const last = await startTestApp(url, { auth: { jwt_secret: [fresh] } });
  expect((await last.get('/api/bind', { token: old })).status).toBe(401);
  expect((await last.get('/api/bind', { token: withoutKeyId })).status).toBe(401);
  expect((await last.get('/api/bind', { token: login.body.token })).status).toBe(200);
});

test('when secrets come from the environment, then commas separate them, and each must be long enough', () => {
  const auth = { password_key: 'old-generation-key' };
  const read = (text: string) =>
    parseSettings(overlayEnvironment({ auth }, { GATEHOUSE_AUTH_JWT_SECRET: text }).settings).auth.jwt_secret;
  expect(read(secret)).toEqual([secret]);
  expect(read(`${'n'.repeat(40)}, ${secret}`)).toEqual(['n'.repeat(40), secret]);
  expect(() => read(`${secret},short`)).toThrow('auth.jwt_secret[1]: must be at least 32 bytes');
  expect(() => read('')).toThrow('auth.jwt_secret: must not have fewer than 1 items');
});
