import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { digestOfHash } from '../src/security/password-hashes.ts';
import { createPlayerPasswords } from '../src/security/player-passwords.ts';
import { parseSettings } from '../src/settings/load.ts';
import { auditRows } from './support/audit.ts';
import { configOf } from './support/cli-config.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const KEY = 'the first key that seals, thirty-two bytes long';
const NEXT_KEY = 'the second key that seals, thirty-two bytes long';
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
const NEXT = 'Another-Horse-43';

const auth = { jwt_secret: 'j'.repeat(40), password_hash: 'argon2id', legacy_tokens: false };
const settings = { auth, code_throttle: { email: { limit: 99, window: 60 } } };

const storedOf = ({ db }: Pick<TestApp, 'db'>, account: string) =>
  db.kysely
    .selectFrom('player')
    .select(['password_hash', 'password_argon2', 'imported_hash'])
    .where('account', '=', account)
    .executeTakeFirstOrThrow();

const addMd5 = ({ db }: Pick<TestApp, 'db'>, ...accounts: string[]) =>
  db.kysely
    .insertInto('player')
    .values(
      accounts.map((account) => ({
        account,
        password_hash: legacyHash(PASSWORD).toUpperCase(),
        imported_hash: digestOfHash(legacyHash(PASSWORD)),
      })),
    )
    .execute();

const logIn = (app: TestApp, account: string, password = PASSWORD) =>
  app.from(freshAddress()).post('/api/login', { account, password });

const addZone = async (app: TestApp) => {
  const zone = { server_id: 1, name: 'zone', address: '10.1.1.1', port: 7000 };
  await app.db.kysely.insertInto('server').values(zone).execute();
  await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
};

describeByTier('passwords as argon2id', (engine) => {
  test('when a password is set or checked in any way, then it is stored as argon2id, and a login replaces an md5 hash', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    await app.register('Fresh');
    const kept = async (account: string, password: string) => {
      const stored = await storedOf(app, account);
      expect(stored).toEqual({
        password_hash: '',
        password_argon2: expect.stringMatching(PHC),
        imported_hash: null,
      });
      expect((await logIn(app, account, 'wrong password')).status).toBe(401);
      const { status, body } = await logIn(app, account, password);
      expect(status).toBe(200);
      return String(body.token);
    };
    const session = await kept('Fresh', PASSWORD);
    const email = 'Fresh@example.com';
    const reset = { email, code: await app.code(email), password: NEXT };
    expect((await app.post('/api/reset_password', reset)).status).toBe(200);
    expect((await logIn(app, 'Fresh')).status).toBe(401);
    expect((await app.get('/api/account', { token: session })).status).toBe(401);

    const token = await kept('Fresh', NEXT);
    const change = { old_password: NEXT, password: PASSWORD };
    const changed = await app.post('/api/account/password', change, { token });
    expect(changed.status).toBe(200);
    await kept('Fresh', PASSWORD);
    const begin = (password: string) =>
      app.post('/api/account/totp', { password }, { token: changed.body.token });
    expect((await begin(NEXT)).status).toBe(401);
    expect((await begin(PASSWORD)).status).toBe(200);
    const config = app.settingsFile;
    const set = await runCommand(['player', 'set-password', 'Fresh'], { config, input: `${NEXT}\n` });
    expect(set).toMatchObject({ code: 0 });
    await kept('Fresh', NEXT);

    await addMd5(app, 'Veteran');
    expect((await logIn(app, 'Veteran', NEXT)).status).toBe(401);
    expect((await storedOf(app, 'Veteran')).password_argon2).toBeNull();
    expect((await logIn(app, 'Veteran')).status).toBe(200);
    await expect.poll(async () => (await storedOf(app, 'Veteran')).password_hash).toBe('');
    await kept('Veteran', PASSWORD);
    for (const token of [legacyHash(PASSWORD), (await storedOf(app, 'Veteran')).password_argon2])
      expect((await app.post('/api/check', { account: 'Veteran', token })).status).toBe(401);
  });

  test('when all are hashed by command, then it resumes after a stop, and accounts of the forum remain without a password', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const accounts = Array.from({ length: 10 }, (_, index) => `old${index}`);
    await addMd5(app, ...accounts);
    const { kysely } = app.db;
    await kysely.insertInto('player').values({ account: 'none' }).execute();
    const byForum = await kysely
      .selectFrom('player')
      .select('id')
      .where('account', '=', 'old1')
      .executeTakeFirstOrThrow();
    await kysely
      .insertInto('forum_account')
      .values({ player_id: byForum.id, password_hash: digestOfHash(legacyHash(PASSWORD)) })
      .execute();
    const own = (account: string) => logIn(app, account).then(({ body }) => body.token as string);
    const forumToken = await own('old2');
    const { stdout } = await app.cli('doctor', '--json');
    expect(
      JSON.parse(stdout).find(({ check }: { check: string }) => check === 'auth.password_hash'),
    ).toMatchObject({ status: 'warning', fix: 'hash them all with: gatehouse player rehash' });
    await expect.poll(async () => (await storedOf(app, 'old2')).password_hash).toBe('');

    const done = await app.cli('player', 'rehash', '--reason', 'no PHP left');
    expect(done).toMatchObject({ code: 0, stdout: '9 players read, 9 hashes rehashed\n' });
    expect((await app.cli('player', 'rehash')).stdout).toBe('0 players read, 0 hashes rehashed\n');
    for (const account of accounts)
      expect(await storedOf(app, account)).toEqual({
        password_hash: '',
        password_argon2: expect.stringMatching(PHC),
        imported_hash: null,
      });
    const csv = join(app.folder, 'old.csv');
    writeFileSync(csv, `account,password_hash\nold4,${legacyHash('changed')}\n`);
    const imported = await app.cli('import', '--csv', csv, '--apply', '--json');
    expect(JSON.parse(imported.stdout)).toMatchObject({ imported: 0, already_there: 1 });
    const recorded = (await auditRows(app.db)).filter(({ action }) => action === 'player.rehash');
    expect(recorded).toMatchObject([{ reason: 'no PHP left', via: 'cli' }]);
    expect((await logIn(app, 'old9')).status).toBe(200);
    expect((await app.get('/api/account', { token: forumToken })).status).toBe(200);

    const begin = async (account: string) =>
      (await app.post('/api/account/totp', {}, { token: await own(account) })).status;
    expect(await begin('old1')).toBe(200);
    expect(await begin('old3')).toBe(400);
  });
});

describeByTier('sealed argon2id', (engine) => {
  test('when there is a key, then the hashes are sealed too, bound to their rows, and the key can be changed and removed', async () => {
    const url = await engine.freshUrl();
    const sealed = { ...settings, auth: { ...auth, seal_key: [KEY] } };
    const app = await startTestApp(url, sealed);
    await app.register('Sealed');
    await addMd5(app, 'Veteran');
    expect((await app.cli('player', 'seal')).code).toBe(0);
    expect((await app.cli('player', 'rehash')).stdout).toBe('1 players read, 1 hashes rehashed\n');
    const first = await storedOf(app, 'Sealed');
    for (const account of ['Sealed', 'Veteran']) {
      expect((await storedOf(app, account)).password_argon2).toMatch(/^s1:/);
      expect((await logIn(app, account)).status).toBe(200);
    }
    await expect(startTestApp(url, settings)).rejects.toThrow('auth.seal_key');
    const { kysely } = app.db;
    await kysely
      .insertInto('player')
      .values({ account: 'Copy', ...first })
      .execute();
    expect((await logIn(app, 'Copy')).status).toBe(401);
    await kysely.deleteFrom('player').where('account', '=', 'Copy').execute();

    const both = await startTestApp(url, { ...settings, auth: { ...auth, seal_key: [NEXT_KEY, KEY] } });
    expect((await both.cli('player', 'seal')).stdout).toBe('2 players read, 2 hashes sealed\n');
    const next = await startTestApp(url, { ...settings, auth: { ...auth, seal_key: [NEXT_KEY] } });
    expect((await logIn(next, 'Sealed')).status).toBe(200);
    expect((await next.cli('player', 'unseal')).stdout).toBe('2 players read, 2 hashes unsealed\n');
    expect((await storedOf(next, 'Veteran')).password_argon2).toMatch(PHC);
    expect((await logIn(next, 'Veteran')).status).toBe(200);
    await expect.poll(async () => (await storedOf(next, 'Veteran')).password_argon2).toMatch(/^s1:/);
  });
});

describe('md5 again', () => {
  test('when the setting returns to md5, then a login restores the md5 hash, and argon2id hashes are never handed out', async () => {
    const url = freshSqlite();
    const before = await startTestApp(url, settings);
    await addZone(before);
    const { token } = await before.register('Returns');
    const app = await startTestApp(url, {
      ...settings,
      auth: { jwt_secret: auth.jwt_secret, game_token: 'legacy' },
    });
    const enter = async () =>
      (await app.post('/api/enter_game', { server_id: 1 }, { token })).body.token as string;
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    expect((await enter()).split('.')).toHaveLength(3);
    expect((await logIn(app, 'Returns', 'wrong password')).status).toBe(401);
    expect((await logIn(app, 'Returns')).status).toBe(200);
    await expect.poll(async () => (await storedOf(app, 'Returns')).password_hash).toBe(legacyHash(PASSWORD));
    expect(await enter()).toBe(legacyHash(PASSWORD));
  });
});

describe('the setting', () => {
  const parsed = (change: object) =>
    parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(32), ...change } }).auth;
  const argon2id = { password_hash: 'argon2id', legacy_tokens: false };

  test('when md5 tokens are still accepted or handed out, then argon2id is refused by name', () => {
    expect(parsed({}).password_hash).toBe('md5');
    expect(parsed(argon2id).password_hash).toBe('argon2id');
    expect(() => parsed({ password_hash: 'argon2id' })).toThrow(/auth\.password_hash.*auth\.legacy_tokens/);
    expect(() => parsed({ ...argon2id, game_token: 'legacy' })).toThrow(
      /auth\.password_hash.*auth\.game_token/,
    );
  });

  test('when it is md5, then the command rehashes nothing', async () => {
    const config = configOf(freshSqlite());
    expect(await runCommand(['player', 'rehash'], { config })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('auth.password_hash is not "argon2id"'),
    });
  });

  test('when too many hashes wait, then the next is answered 503, and a usual address still has a place', async () => {
    const passwords = createPlayerPasswords({ password_key: 'k', password_hash: 'argon2id' }, 1);
    const owner = { passwordHash: await passwords.hash(PASSWORD), usualAddresses: ['203.0.113.7'] };
    const ask = (address: string) => Promise.resolve(passwords.matches(PASSWORD, owner, address));
    const flood = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map(ask);
    await expect(ask('198.51.100.4')).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfter: 1 },
    });
    expect(await ask('203.0.113.7')).toBe(true);
    expect(await Promise.all(flood)).toEqual([true, true, true]);
  });
});
