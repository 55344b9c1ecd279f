import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshBlock, freshName } from './support/fresh.ts';
import { countOf, pipeline } from './support/pipeline.ts';
import { legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const stores = ['memory', 'redis'] as const;

/** Inserts players directly; registration would cost a mail each. */
async function addPlayers(app: TestApp, count: number): Promise<string[]> {
  const accounts = Array.from({ length: count }, freshName);
  const values = accounts.map((account) => ({
    account,
    password_hash: legacyHash(PASSWORD),
    email: `${account}@example.com`,
  }));
  await app.db.kysely.insertInto('player').values(values).execute();
  return accounts;
}

async function addPlayer(app: TestApp): Promise<string> {
  const [account = ''] = await addPlayers(app, 1);
  return account;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describeByTier('bursts at the login throttle', (engine) => {
  for (const store of stores) {
    const open = async (settings = {}) =>
      startTestApp(await engine.freshUrl(), {
        ...settings,
        ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
      });

    describe(`in ${store}`, () => {
      test('when 1,000 wrong guesses and the right one arrive in one chunk, then five are judged and the right one is refused', async () => {
        const app = await open();
        const account = await addPlayer(app);
        const address = freshBlock();
        const guess = (password: string) => ({ address, body: { account, password } });
        const statuses = await pipeline(app.url, [
          ...times(1000, (index) => guess(`wrong${index}`)),
          guess(PASSWORD),
        ]);
        expect(statuses.at(-1)).toBe(429);
        expect(countOf(statuses, 401)).toBe(5);
        expect(countOf(statuses, 429)).toBe(996);
      });

      test('when wrong md5 tokens and the right one arrive in one chunk, then five are judged and the right one is refused', async () => {
        const app = await open();
        const account = await addPlayer(app);
        const address = freshBlock();
        const guess = (token: string) => ({ path: '/api/check', address, body: { account, token } });
        const statuses = await pipeline(app.url, [
          ...times(300, (index) => guess(legacyHash(`wrong${index}`))),
          guess(legacyHash(PASSWORD)),
        ]);
        expect(statuses.at(-1)).toBe(429);
        expect(countOf(statuses, 401)).toBe(5);
      });

      test('when every guess of a burst comes from another IPv6 /64, then the account’s limit applies to the right one too', async () => {
        const app = await open({ login_throttle: { account: { limit: 20, window: 3600 } } });
        const account = await addPlayer(app);
        const statuses = await pipeline(app.url, [
          ...times(300, (index) => ({
            address: freshBlock(),
            body: { account, password: `wrong${index}` },
          })),
          { address: freshBlock(), body: { account, password: PASSWORD } },
        ]);
        expect(statuses.at(-1)).toBe(429);
        expect(countOf(statuses, 401)).toBe(20);
        expect(countOf(statuses, 429)).toBe(281);
      });

      test('when one address tries many accounts in a burst, then its limit applies to the right guess too', async () => {
        const app = await open();
        const account = await addPlayer(app);
        const address = freshBlock();
        const statuses = await pipeline(app.url, [
          ...times(300, () => ({ address, body: { account: freshName(), password: 'wrong' } })),
          { address, body: { account, password: PASSWORD } },
        ]);
        expect(statuses.at(-1)).toBe(429);
        expect(countOf(statuses, 401)).toBe(50);
      });

      test('when codes are guessed in a burst, then the address’s limit applies to the right one too', async () => {
        const app = await open({ login_throttle: { address: { limit: 5, window: 3600 } } });
        const email = `${freshName()}@example.com`;
        const address = freshBlock();
        const code = await app.code(email);
        const attempt = (to: string, digits: string) => ({
          path: '/api/register',
          address,
          body: { account: freshName(), email: to, password: PASSWORD, code: digits },
        });
        const statuses = await pipeline(app.url, [
          ...times(100, (index) => attempt(`${index}${email}`, '000000')),
          attempt(email, code),
        ]);
        expect(statuses.at(-1)).toBe(429);
        expect(countOf(statuses, 422)).toBe(5);
      });

      test('when 100 players behind one address log in at once, then all succeed', async () => {
        const app = await open();
        const address = freshBlock();
        const accounts = await addPlayers(app, 100);
        const bodies = accounts.map((account) => ({ address, body: { account, password: PASSWORD } }));
        expect(countOf(await pipeline(app.url, bodies), 200)).toBe(100);
        expect(countOf(await pipeline(app.url, bodies), 200)).toBe(100);
      });

      test('when wrong and right logins of one account mix, then no right one below the limit is refused', async () => {
        const app = await open();
        const account = await addPlayer(app);
        const address = freshBlock();
        const passwords = times(40, (index) => (index % 10 === 3 ? 'wrong' : PASSWORD));
        const statuses = await pipeline(
          app.url,
          passwords.map((password) => ({ address, body: { account, password } })),
        );
        expect(statuses).toEqual(passwords.map((password) => (password === PASSWORD ? 200 : 401)));
      });

      test('when an account is attacked from everywhere, then its owner’s usual address can log in meanwhile', async () => {
        const app = await open({ login_throttle: { account: { limit: 10, window: 3600 } } });
        const account = await addPlayer(app);
        const home = freshBlock();
        await app.db.kysely.updateTable('player').set({ last_login_ip: home }).execute();
        const wrong = () =>
          times(50, () => ({ address: freshBlock(), body: { account, password: 'wrong' } }));
        const right = { address: home, body: { account, password: PASSWORD } };
        const statuses = await pipeline(app.url, [...wrong(), right, ...wrong(), right]);
        expect([statuses[50], statuses[101]]).toEqual([200, 200]);
        expect(countOf(statuses, 401)).toBe(10);
      });

      test('when bursts of every size come from everywhere, then no more guesses are judged than each limit allows', async () => {
        const limits = { account_address: 3, address: 7, account: 11 };
        const app = await open({
          login_throttle: {
            account_address: { limit: limits.account_address, window: 900 },
            address: { limit: limits.address, window: 3600 },
            account: { limit: limits.account, window: 3600 },
          },
        });
        const guesses = fc.array(
          fc.record({ account: fc.nat(3), address: fc.nat(5), connection: fc.nat(2), luck: fc.nat(9) }),
          { minLength: 1, maxLength: 120 },
        );
        await fc.assert(
          fc.asyncProperty(guesses, async (burst) => {
            const accounts = await addPlayers(app, 4);
            const addresses = times(6, freshBlock);
            const sent = burst.map(({ account, address, connection, luck }, index) => ({
              connection,
              account: accounts[account] ?? '',
              address: addresses[address] ?? '',
              password: luck === 0 ? PASSWORD : `wrong${index}`,
            }));
            const answered = await Promise.all(
              times(3, async (connection) => {
                const mine = sent.filter((each) => each.connection === connection);
                if (mine.length === 0) return [];
                const statuses = await pipeline(
                  app.url,
                  mine.map(({ account, address, password }) => ({ address, body: { account, password } })),
                );
                return mine.map((each, index) => ({ ...each, status: statuses[index] }));
              }),
            );
            const judged = answered.flat().filter(({ status }) => status === 401 || status === 200);
            for (const { password, status } of judged) expect(status).toBe(password === PASSWORD ? 200 : 401);
            const wrong = judged.filter(({ status }) => status === 401);
            const pairOf = (each: (typeof judged)[number]) => `${each.address} ${each.account}`;
            // A right guess resets the pair's count and makes the address a known one of the account.
            const proven = new Set(judged.filter(({ status }) => status === 200).map(pairOf));
            const unproven = wrong.filter((each) => !proven.has(pairOf(each)));
            const most = (of: typeof wrong, keyOf: (each: (typeof wrong)[number]) => string) =>
              Math.max(
                0,
                ...Map.groupBy(of, keyOf)
                  .values()
                  .map((group) => group.length),
              );
            expect(most(wrong, ({ address }) => address)).toBeLessThanOrEqual(limits.address);
            expect(most(unproven, ({ account }) => account)).toBeLessThanOrEqual(limits.account);
            expect(most(unproven, pairOf)).toBeLessThanOrEqual(limits.account_address);
          }),
          { numRuns: 15 },
        );
      }, 180_000);
    });
  }
});

describeByTier('tokens that game servers check', (engine) => {
  const zone = '203.0.113.77';
  const vouchedFor = '203.0.113.78';

  for (const address of ['127.0.0.1', zone, vouchedFor]) {
    test(`when wrong tokens come from ${address}, then a right one is accepted, and only the account counts them`, async () => {
      const app = await startTestApp(await engine.freshUrl(), {
        game_servers: { ip: [vouchedFor] },
        login_throttle: { account: { limit: 60, window: 3600 } },
      });
      await app.db.kysely
        .insertInto('server')
        .values({ server_id: 1, name: 'zone', address: zone, port: 1 })
        .execute();
      await expect.poll(() => app.security.gameServerAuth.isGameServer({ address, direct: true })).toBe(true);
      const [account = '', other = ''] = await addPlayers(app, 2);
      const check = (of: string, password: string) =>
        app.from(address).post('/api/check', { account: of, token: legacyHash(password) });
      for (let round = 0; round < 60; round++) expect((await check(account, 'wrong')).status).toBe(401);
      expect((await check(account, PASSWORD)).status).toBe(200);
      expect((await check(other, 'wrong')).status).toBe(401);
      expect((await check(other, PASSWORD)).status).toBe(200);

      expect((await check(account, 'wrong')).status).toBe(429);
      expect((await check(account, PASSWORD)).status).toBe(200);
      const elsewhere = app.from(freshBlock());
      expect((await elsewhere.post('/api/login', { account, password: PASSWORD })).status).toBe(429);
    });
  }
});
