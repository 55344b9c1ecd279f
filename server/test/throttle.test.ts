import { describe, expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { startLoneSentinel } from '../../test-support/redis-sentinel.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { freshBlock, run } from './support/fresh.ts';
import { makeOperator } from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const stores = ['memory', 'redis'] as const;

describeByTier('login throttle', (engine) => {
  for (const store of stores) {
    const open = async (settings = {}) =>
      startTestApp(await engine.freshUrl(), {
        ...settings,
        ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
      });
    const name = (base: string) => `${base}_${run}_${engine.name}`.slice(0, 24);
    const address = store === 'redis' ? freshBlock : freshAddress;

    describe(`in ${store}`, () => {
      test('when five guesses were wrong, then the sixth is refused, right or wrong, and another address is not', async () => {
        const app = await open();
        const account = name('vic');
        await app.register(account);
        const attacker = app.from(address());
        for (let round = 0; round < 5; round++) {
          expect((await attacker.post('/api/login', { account, password: `wrong${round}` })).status).toBe(
            401,
          );
        }
        const refused = await attacker.post('/api/login', {
          account: account.toUpperCase(),
          password: PASSWORD,
        });
        expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
        const wait = Number(refused.headers.get('retry-after'));
        expect(wait).toBeGreaterThan(600);
        expect(wait).toBeLessThanOrEqual(900);
        expect(
          (await attacker.post('/api/check', { account: `${account} `, token: 'f'.repeat(32) })).status,
        ).toBe(429);
        expect((await app.from(address()).post('/api/login', { account, password: PASSWORD })).status).toBe(
          200,
        );
      });

      test('when a guess is right in time, then the count starts over', async () => {
        const app = await open();
        const account = name('anew');
        await app.register(account);
        const owner = app.from(address());
        for (let round = 0; round < 3; round++) {
          for (let wrong = 0; wrong < 4; wrong++)
            await owner.post('/api/login', { account, password: 'wrong' });
          expect((await owner.post('/api/login', { account, password: PASSWORD })).status).toBe(200);
        }
      });

      test('when an attacker rotates inside an IPv6 /64, then it counts as one address', async () => {
        const app = await open();
        const account = name('six');
        await app.register(account);
        const block = freshBlock().replace('::1', '');
        const statuses = [];
        for (let host = 1; host <= 7; host++) {
          statuses.push(
            (await app.from(`${block}::${host}`).post('/api/login', { account, password: 'wrong' })).status,
          );
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      });

      test('when one address tries many accounts, then 50 failures are its limit', async () => {
        const app = await open();
        const attacker = app.from(address());
        const statuses = new Map<number, number>();
        for (let index = 0; index < 55; index++) {
          const { status } = await attacker.post('/api/login', {
            account: `${name('many')}${index}`,
            password: 'x',
          });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        expect(Object.fromEntries(statuses)).toEqual({ 401: 50, 429: 5 });
      });

      test('when many addresses attack an account, then the owner’s usual address can still log in', async () => {
        const app = await open({ login_throttle: { account: { limit: 10, window: 3600 } } });
        const account = name('owner');
        await app.register(account);
        const [home, office] = [address(), address()];
        expect((await app.from(office).post('/api/login', { account, password: PASSWORD })).status).toBe(200);
        await app.features.history.flush();
        await app.db.kysely.updateTable('player').set({ last_login_ip: home }).execute();
        for (let round = 0; round < 10; round++)
          await app.from(address()).post('/api/login', { account, password: 'wrong' });
        expect((await app.from(address()).post('/api/login', { account, password: PASSWORD })).status).toBe(
          429,
        );
        for (const usual of [home, office])
          expect((await app.from(usual).post('/api/login', { account, password: PASSWORD })).status).toBe(
            200,
          );
      });

      test('when 40 guesses arrive concurrently, then no more than five learn whether they are right', async () => {
        const app = await open();
        const account = name('burst');
        await app.register(account);
        const attacker = app.from(address());
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            attacker.post('/api/login', { account, password: `guess${index}` }),
          ),
        );
        expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
      });

      test('when 40 right logins arrive concurrently, then all succeed', async () => {
        const app = await open();
        const account = name('calm');
        await app.register(account);
        const client = app.from(address());
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => client.post('/api/login', { account, password: PASSWORD })),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      });
    });
  }
});

test('when a sentinel names the Redis, then two instances count failures together in it', async () => {
  const sentinel = await startLoneSentinel(Number(new URL(sharedRedisUrl()).port));
  onTestFinished(() => sentinel.kill());
  const database = freshSqlite();
  const settings = { redis: { url: sentinel.url } };
  const instances = [await startTestApp(database, settings), await startTestApp(database, settings)] as const;
  const address = freshBlock();
  const account = `watched_${run}`;
  const statuses: number[] = [];
  for (let round = 0; round < 6; round++) {
    const app = instances[round % 2 === 0 ? 0 : 1];
    statuses.push((await app.from(address).post('/api/login', { account, password: 'wrong' })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test('when a player logs in or enters too often, then each is refused until the window ends, and other players are not', async () => {
  const app = await startTestApp(freshSqlite(), {
    login_throttle: { player: { limit: 3, window: 60 } },
  });
  const zone = { server_id: 1, name: 'One', address: '127.0.0.1', port: 7000 };
  await app.db.kysely.insertInto('server').values(zone).execute();
  await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
  const tokens = { often: (await app.register('often')).token, seldom: (await app.register('seldom')).token };
  const login = (account: string) => app.post('/api/login', { account, password: PASSWORD });
  const enter = (token: string) => app.post('/api/enter_game', { server_id: 1 }, { token });
  for (let time = 0; time < 3; time++)
    expect([(await login('often')).status, (await enter(tokens.often)).status]).toEqual([200, 200]);
  for (const refused of [await login('often'), await enter(tokens.often)]) {
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect([(await login('seldom')).status, (await enter(tokens.seldom)).status]).toEqual([200, 200]);
});

test('when a game server presents wrong tokens, then the owner can log in from the usual address, and elsewhere once unlocked', async () => {
  const url = freshSqlite();
  const settings = {
    console: { require_totp: false },
    game_servers: { ip: ['203.0.113.9'] },
    login_throttle: { account: { limit: 3, window: 3600 } },
  };
  const [there, here] = [await startTestApp(url, settings), await startTestApp(url, settings)];
  await there.register('owner');
  await there.register('neighbour');
  const [home, abroad] = [freshAddress(), freshAddress()];
  const login = (app: TestApp, address: string, account = 'owner') =>
    app.from(address).post('/api/login', { account, password: PASSWORD });
  const wrongToken = (app: TestApp, account = 'owner') =>
    app.from('203.0.113.9').post('/api/check', { account, token: 'f'.repeat(32) });
  expect((await login(there, home)).status).toBe(200);
  await there.features.history.flush();

  for (const status of [401, 401, 401, 429]) expect((await wrongToken(here)).status).toBe(status);
  expect((await login(here, home)).status).toBe(200);
  for (let round = 0; round < 3; round++) expect((await login(here, abroad)).status).toBe(429);
  const throttled = here.db.kysely
    .selectFrom('player_login')
    .select('ip')
    .where('code', '=', 'too_many_attempts');
  await expect
    .poll(async () => {
      await here.features.history.flush();
      return throttled.execute();
    })
    .toEqual([{ ip: abroad }]);

  const boss = await makeOperator(here);
  const unlocked = await boss.post('players/1/unlock', { reason: 'called us' });
  expect(unlocked).toMatchObject({ status: 200, body: { account: 'owner', audit_id: expect.any(String) } });
  expect((await login(here, abroad)).status).toBe(200);

  // Another player: the first instance may learn of the owner's unlock at any moment.
  for (const status of [401, 401, 401, 429])
    expect((await wrongToken(there, 'neighbour')).status).toBe(status);
  expect((await login(there, abroad, 'neighbour')).status).toBe(429);
  expect((await here.cli('player', 'unlock', 'neighbour')).code).toBe(0);
  await expect.poll(async () => (await login(there, abroad, 'neighbour')).status).toBe(200);
});
