import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { createPasswordHashes } from '../src/security/password-hashes.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { configOf } from './support/cli-config.ts';
import { importFixture, OLD_KEY } from './support/import-fixture.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const KEY = 'the first key that seals, thirty-two bytes long';
const NEXT_KEY = 'the second key that seals, thirty-two bytes long';
const SEALED = /^s1:[A-Za-z0-9+/]{60}$/;

const auth = { jwt_secret: 'j'.repeat(40), seal_key: KEY };
const settings = { auth, code_throttle: { email: { limit: 99, window: 60 } } };

async function storedHash({ db }: Pick<TestApp, 'db'>, account: string): Promise<string> {
  const { password_hash } = await db.kysely
    .selectFrom('player')
    .select('password_hash')
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  return password_hash;
}

const addPlain = ({ db }: Pick<TestApp, 'db'>, ...accounts: string[]) =>
  db.kysely
    .insertInto('player')
    .values(accounts.map((account) => ({ account, password_hash: legacyHash(PASSWORD) })))
    .execute();

const logIn = (app: TestApp, account: string, password = PASSWORD) =>
  app.from(freshAddress()).post('/api/login', { account, password });

describeByTier('sealed hashes', (engine) => {
  test('when a key is set, then every write of a password seals it, and every use reads it', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      ...settings,
      auth: { ...auth, game_token: 'legacy' },
    });
    await app.register('Sealed');
    const registered = await storedHash(app, 'Sealed');
    expect(registered).toMatch(SEALED);
    const { body: session } = await logIn(app, 'sealed');
    expect((await logIn(app, 'Sealed', 'wrong password')).status).toBe(401);
    expect(
      (await app.post('/api/check', { account: 'Sealed', token: legacyHash(PASSWORD) })).body,
    ).toMatchObject({
      valid: true,
      format: 'legacy',
    });
    for (const token of [registered, registered.slice(3), legacyHash('other')])
      expect((await app.post('/api/check', { account: 'Sealed', token })).status).toBe(401);
    const zone = { server_id: 1, name: 'zone', address: '10.1.1.1', port: 7000 };
    await app.db.kysely.insertInto('server').values(zone).execute();
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    const entered = await app.post('/api/enter_game', { server_id: 1 }, { token: session.token });
    expect(entered.body.token).toBe(legacyHash(PASSWORD));

    const email = 'Sealed@example.com';
    const reset = { email, code: await app.code(email), password: 'Another-Horse-43' };
    expect((await app.post('/api/reset_password', reset)).status).toBe(200);
    const afterReset = await storedHash(app, 'Sealed');
    expect(afterReset).toMatch(SEALED);
    expect((await logIn(app, 'Sealed')).status).toBe(401);
    expect((await logIn(app, 'Sealed', 'Another-Horse-43')).status).toBe(200);
    expect(await storedHash(app, 'Sealed')).toBe(afterReset);

    const { token } = (await logIn(app, 'Sealed', 'Another-Horse-43')).body;
    const change = { old_password: 'Another-Horse-43', password: 'Third-Horse-44' };
    expect((await app.post('/api/account/password', change, { token })).status).toBe(200);
    expect(await storedHash(app, 'Sealed')).toMatch(SEALED);
    expect((await logIn(app, 'Sealed', 'Third-Horse-44')).status).toBe(200);

    const set = await runCommand(['player', 'set-password', 'Sealed'], {
      config: app.settingsFile,
      input: 'Third-Horse-44\n',
    });
    expect(set).toMatchObject({ code: 0 });
    expect(await storedHash(app, 'Sealed')).toMatch(SEALED);
    expect((await logIn(app, 'Sealed', 'Third-Horse-44')).status).toBe(200);
  });

  test('when old accounts have plain hashes, then a login seals them, and no sealed one can be moved to another row', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    await addPlain(app, 'Veteran', 'Upper', 'Other', 'Nothing');
    const { kysely } = app.db;
    await kysely
      .updateTable('player')
      .set({ password_hash: legacyHash(PASSWORD).toUpperCase() })
      .where('account', '=', 'Upper')
      .execute();
    await kysely.updateTable('player').set({ password_hash: '' }).where('account', '=', 'Nothing').execute();

    expect((await logIn(app, 'Veteran', 'wrong password')).status).toBe(401);
    expect(await storedHash(app, 'Veteran')).toBe(legacyHash(PASSWORD));
    const together = await Promise.all(Array.from({ length: 8 }, () => logIn(app, 'Veteran')));
    expect(together.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await logIn(app, 'Upper')).status).toBe(200);
    for (const account of ['Veteran', 'Upper']) {
      expect(await storedHash(app, account)).toMatch(SEALED);
      expect((await logIn(app, account)).status).toBe(200);
      expect((await app.post('/api/check', { account, token: legacyHash(PASSWORD) })).status).toBe(200);
    }
    expect((await logIn(app, 'Nothing', '')).status).toBe(400);
    expect((await logIn(app, 'Nothing')).status).toBe(401);

    const moved = await storedHash(app, 'Veteran');
    await kysely.updateTable('player').set({ password_hash: moved }).where('account', '=', 'Other').execute();
    expect((await logIn(app, 'Other')).status).toBe(401);
    expect((await app.post('/api/check', { account: 'Other', token: legacyHash(PASSWORD) })).status).toBe(
      401,
    );
  });

  test('when accounts are imported, then they are written sealed, and recognised when they are imported again', async () => {
    const url = await engine.freshUrl();
    const { summary, write } = importFixture(url, { auth: { ...auth, password_key: OLD_KEY } });
    const rows = Array.from({ length: 1203 }, (_, index) => `old${index},${legacyHash(`password ${index}`)}`);
    const run = (...lines: string[]) =>
      summary('--apply', '--csv', write('old.csv', ['account,password_hash', ...lines, ''].join('\n')));
    expect(await run(...rows)).toMatchObject({ imported: 1203 });
    const db = await migratedAt(url);
    const hashes = createPasswordHashes([KEY]);
    const stored = await db.kysely.selectFrom('player').select(['id', 'account', 'password_hash']).execute();
    expect(stored).toHaveLength(1203);
    for (const { id, account, password_hash } of stored) {
      expect(password_hash).toMatch(SEALED);
      expect(hashes.open(password_hash, id)).toBe(legacyHash(`password ${account.slice(3)}`));
    }
    const again = await run(
      ...rows,
      `newer,${legacyHash('x')}`,
      `gone,${legacyHash('y')}`,
      `OLD1,${legacyHash('changed')}`,
    );
    expect(again).toMatchObject({ imported: 2, already_there: 1203 });
    expect(await run(`newer,${legacyHash('changed')}`)).toMatchObject({ imported: 0, updated: 1 });
  });

  test('when all are sealed and unsealed by command, then it can be stopped, repeated and undone, and is recorded once', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { kysely } = app.db;
    const accounts = Array.from({ length: 5000 }, (_, index) => `old${index}`);
    for (let start = 0; start < accounts.length; start += 500)
      await addPlain(app, ...accounts.slice(start, start + 500));
    const sealedRows = async () =>
      (await kysely.selectFrom('player').select('id').where('password_hash', 'like', 's1:%').execute())
        .length;

    const done = await app.cli('player', 'seal', '--reason', 'new key');
    expect(done).toMatchObject({ code: 0, stdout: '5,000 players read, 5,000 hashes sealed\n' });
    expect(await sealedRows()).toBe(5000);
    const again = await app.cli('player', 'seal');
    expect(again.stdout).toBe('5,000 players read, 0 hashes sealed\n');
    expect((await logIn(app, 'old17')).status).toBe(200);
    const recorded = (await auditRows(app.db)).filter(({ action }) => action.startsWith('player.'));
    expect(recorded).toMatchObject([{ action: 'player.seal', reason: 'new key', via: 'cli' }]);

    // The state left by a run that was stopped half way.
    await kysely
      .updateTable('player')
      .set({ password_hash: legacyHash(PASSWORD) })
      .where('id', '>', 4000)
      .execute();
    expect((await app.cli('player', 'seal')).stdout).toBe('5,000 players read, 1,000 hashes sealed\n');

    expect((await app.cli('player', 'unseal')).stdout).toBe('5,000 players read, 5,000 hashes unsealed\n');
    expect(await sealedRows()).toBe(0);
    const plain = await kysely.selectFrom('player').select('password_hash').distinct().execute();
    expect(plain).toEqual([{ password_hash: legacyHash(PASSWORD) }]);
  });

  test('when the key is changed, then both work, a login reseals, and the old one can be removed once all are resealed', async () => {
    const url = await engine.freshUrl();
    const first = await startTestApp(url, settings);
    await addPlain(first, 'Early', 'Later');
    expect((await first.cli('player', 'seal')).code).toBe(0);
    const [early, later] = [await storedHash(first, 'Early'), await storedHash(first, 'Later')];

    const both = await startTestApp(url, { ...settings, auth: { ...auth, seal_key: [NEXT_KEY, KEY] } });
    expect((await logIn(both, 'Early')).status).toBe(200);
    expect(await storedHash(both, 'Early')).not.toBe(early);
    expect(await storedHash(both, 'Later')).toBe(later);

    const gone = { ...settings, auth: { ...auth, seal_key: NEXT_KEY } };
    const without = await startTestApp(url, gone);
    expect((await logIn(without, 'Early')).status).toBe(200);
    expect((await logIn(without, 'Later')).status).toBe(401);
    const refused = await without.cli('player', 'seal');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('1 hashes are sealed with a key that auth.seal_key does not have');
    expect(await storedHash(without, 'Later')).toBe(later);

    expect((await both.cli('player', 'seal')).code).toBe(0);
    expect((await logIn(without, 'Later')).status).toBe(200);
  });

  test('when no key opens what is stored, then the service does not start, and the doctor says why', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, settings);
    await addPlain(app, 'Somebody');
    const advice = async (config: string) => {
      const { stdout } = await runCommand(['doctor', '--json'], { config });
      return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'auth.seal_key');
    };
    expect(await advice(app.settingsFile)).toMatchObject({
      status: 'warning',
      fix: 'seal them all with: gatehouse player seal',
    });
    await app.cli('player', 'seal');
    expect(await advice(app.settingsFile)).toMatchObject({ status: 'ok' });

    for (const seal_key of [undefined, NEXT_KEY]) {
      const { seal_key: _, ...given } = auth;
      const other = { ...given, ...(seal_key && { seal_key }) };
      await expect(startTestApp(url, { auth: other })).rejects.toThrow('auth.seal_key');
      const table = parse(readFileSync(app.settingsFile, 'utf8'));
      const config = join(app.folder, 'other.toml');
      writeFileSync(config, stringify({ ...table, auth: { password_key: 'old-generation-key', ...other } }));
      expect(await advice(config)).toMatchObject({ status: 'failed' });
    }
  });
});

describe('the key', () => {
  const parsed = (seal_key: unknown) =>
    parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(32), seal_key } }).auth.seal_key;

  test('when it is a text or a list, then it is accepted, and refused if it is short', () => {
    expect(parsed(KEY)).toEqual([KEY]);
    expect(parsed([NEXT_KEY, KEY])).toEqual([NEXT_KEY, KEY]);
    expect(() => parsed('short')).toThrow('auth.seal_key');
    expect(() => parsed([KEY, 'short'])).toThrow('auth.seal_key[1]');
    expect(() => parsed([])).toThrow('auth.seal_key');
  });

  test('when it is not set, then the commands say so', async () => {
    const config = configOf(`sqlite:${join(configOf(''), '../none.db')}`);
    for (const command of ['seal', 'unseal'])
      expect(await runCommand(['player', command], { config })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('auth.seal_key is not set'),
      });
  });
});

/** These pass a hash on, clear it, or only describe the column. */
const harmless =
  /^(?:settings\/|cli\/(?:seal|takeover)\.ts|security\/(?:password-hashes|player-passwords)\.ts|db\/(?:migrations\/|schema\/|password-hash\.ts)|features\/(?:doctor\/store|sealing\/admin\/store|operators\/admin\/store|account\/admin\/(?:change-player|set-password)|own-account\/erasure-store|takeover\/admin\/module|import\/(?:columns|clean|old-values|export-accounts))\.ts)/;

test('when a server file names the column of the hashes, then it seals and opens them, or is listed as needing no key', () => {
  const folder = join(import.meta.dirname, '../src');
  const naming = globSync('**/*.ts', { cwd: folder }).filter((file) =>
    readFileSync(join(folder, file), 'utf8').includes('password_hash'),
  );
  const careless = naming.filter(
    (file) =>
      !harmless.test(file) &&
      !/from '[./]+security\/password-hashes\.ts'|\bSealedTexts\b/.test(
        readFileSync(join(folder, file), 'utf8'),
      ),
  );
  expect(careless).toEqual([]);
});
