import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { serviceEntry } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { opened } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { importFixture, manyAccounts, OLD_KEY, oldHash } from './support/import-fixture.ts';
import { startTestApp } from './support/test-app.ts';

const MAP = ['--map', 'account=username,password_hash=password,email=mail,status=state'];
const APPLY = [...MAP, '--status', '0=active,1=banned', '--apply'];
const row = (account: string, password: string, mail = '', state = '0') =>
  `${account},${oldHash(password)},${mail},${state}`;
const members = (...rows: string[]) => ['username,password,mail,state', ...rows].join('\n');

describeByTier('a repeated import', (engine) => {
  test('when the old data changed, then password, e-mail and ban follow, and tokens of the old password end', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const csv = fixture.write(
      'old.csv',
      members(row('Alice', 'first'), row('bob', 'pw', 'b@x.io'), row('eve', 'pw')),
    );
    await fixture.summary('--csv', csv, ...APPLY);
    const app = await startTestApp(url, { auth: { password_key: OLD_KEY } });
    const login = (account: string, password: string) => app.post('/api/login', { account, password });
    const check = (account: string, token: string) => app.post('/api/check', { account, token });
    const { token } = (await login('alice', 'first')).body as { token: string };
    expect((await check('alice', token)).status).toBe(200);

    fixture.write(
      'old.csv',
      members(
        row('Alice', 'second'),
        row('bob', 'pw', 'New@x.io'),
        row('eve', 'pw', '', '1'),
        row('new', 'pw'),
      ),
    );
    const dry = await fixture.run('--csv', csv, ...APPLY.slice(0, -1));
    expect(dry.stdout).toContain('\ndry run: added 1, updated 3, kept 0, refused 0\n');
    expect((await login('alice', 'first')).status).toBe(200);

    const { stdout } = await fixture.run('--csv', csv, ...APPLY);
    expect(stdout).toContain('\nadded 1, updated 3, kept 0, refused 0\n');
    expect((await login('alice', 'first')).status).toBe(401);
    expect((await check('alice', token)).status).toBe(401);
    expect((await check('alice', oldHash('first'))).status).toBe(401);
    expect((await check('alice', oldHash('second'))).status).toBe(200);
    expect((await login('alice', 'second')).status).toBe(200);
    expect((await login('eve', 'pw')).status).toBe(403);
    const db = await opened(url);
    const bob = await db.kysely
      .selectFrom('player')
      .selectAll()
      .where('account', '=', 'bob')
      .executeTakeFirst();
    expect(bob).toMatchObject({ email: 'new@x.io', token_version: 0 });
    const written = () =>
      db.kysely
        .selectFrom('player')
        .select(['account', 'password_hash', 'email', 'status', 'token_version', 'reset_at', 'imported_hash'])
        .execute();
    const before = await written();
    const audited = await auditRows(db);
    expect(audited.map(({ action }) => action)).toEqual(['import.run', 'import.run']);

    expect(await fixture.summary('--csv', csv, ...APPLY)).toMatchObject({
      ...{ added: 0, updated: 0, kept: 0, refused: 0, unchanged: 4 },
    });
    expect(await written()).toEqual(before);
    expect(await auditRows(db)).toEqual(audited);
  });

  test('when accounts changed here, then they stay and are named; what changed on both sides waits for a decision', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const csv = fixture.write(
      'old.csv',
      members(
        ...['same', 'here', 'there', 'both', 'mixed', '=sum'].map((name) => row(name, 'pw', `${name}@x.io`)),
      ),
    );
    await fixture.summary('--csv', csv, ...APPLY);
    const db = await opened(url);
    const change = (account: string, values: Record<string, string>) =>
      db.kysely.updateTable('player').set(values).where('account', '=', account).execute();
    await change('here', { password_hash: oldHash('mine'), status: 'banned' });
    await change('both', { password_hash: oldHash('mine'), email: 'mine@x.io' });
    await change('mixed', { email: 'mine@x.io' });
    await change('=sum', { password_hash: oldHash('mine') });
    await db.kysely
      .insertInto('player')
      .values({ account: 'Own', password_hash: oldHash('own') })
      .execute();
    fixture.write(
      'old.csv',
      members(
        row('same', 'pw', 'same@x.io'),
        row('here', 'pw', 'here@x.io'),
        row('there', 'theirs', 'theirs@x.io'),
        row('both', 'theirs', 'theirs@x.io'),
        row('mixed', 'theirs', 'mixed@x.io'),
        row('=sum', 'theirs', '=sum@x.io'),
        row('own', 'pw'),
      ),
    );
    const summary = await fixture.summary('--csv', csv, ...APPLY);
    expect(summary).toMatchObject({
      ...{ read: 7, added: 0, updated: 2, kept: 4, refused: 0, unchanged: 1, conflicts: 3 },
      ...{ imported: 0, already_there: 7, not_usable: 0, reasons: {} },
      differing: {
        ...{ password_here: 1, password_there: 2, password_both: 2, password_unknown: 1 },
        ...{ email_here: 1, email_there: 1, email_both: 1, status_here: 1 },
      },
    });
    expect(readFileSync(summary.report, 'utf8').trim().split('\n')).toEqual([
      'line,account,outcome,reason',
      '"3","here","kept","password changed here since the import; ban changed here since the import"',
      '"5","both","kept","password changed on both sides since the import; email changed on both sides since the import"',
      '"6","mixed","kept","email changed here since the import"',
      `"7","'=sum","kept","password changed on both sides since the import"`,
      '"8","own","kept","password differs, and was never imported"',
    ]);
    const conflicts = readFileSync(summary.conflicts_file, 'utf8');
    expect(summary.conflicts_file).toBe(`${csv}.conflicts.csv`);
    expect(conflicts.trim().split('\n')).toEqual([
      'line,account,field,reason,here,there,decision',
      '"5","both","password","password changed on both sides since the import","","",""',
      '"5","both","email","email changed on both sides since the import","mine@x.io","theirs@x.io",""',
      `"7","'=sum","password","password changed on both sides since the import","","",""`,
      '"8","own","password","password differs, and was never imported","","",""',
    ]);
    const hashes = async () =>
      Object.fromEntries(
        (await db.kysely.selectFrom('player').select(['account', 'password_hash']).execute()).map(
          ({ account, password_hash }) => [account, password_hash],
        ),
      );
    expect(await hashes()).toMatchObject({
      ...{ here: oldHash('mine'), there: oldHash('theirs'), both: oldHash('mine'), mixed: oldHash('theirs') },
      ...{ '=sum': oldHash('mine'), Own: oldHash('own') },
    });

    const wrong = fixture.write('wrong.csv', conflicts.replace('"mine@x.io","theirs@x.io","', '$&perhaps'));
    const refused = await fixture.run('--csv', csv, ...APPLY, '--decisions', wrong);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('line 3 of');
    const decided = fixture.write(
      'decided.csv',
      conflicts.replaceAll(/,"","",""$/gm, ',"","","there"').replace('"mine@x.io","theirs@x.io","', '$&here'),
    );
    const options = ['--csv', csv, ...APPLY];
    expect(await fixture.summary(...options, '--decisions', decided)).toMatchObject({
      ...{ updated: 3, kept: 2, conflicts: 0, conflicts_file: null },
    });
    expect(await hashes()).toMatchObject({
      ...{ both: oldHash('theirs'), '=sum': oldHash('theirs'), Own: oldHash('pw') },
    });
    expect(await fixture.summary(...options)).toMatchObject({
      ...{
        updated: 0,
        kept: 3,
        conflicts: 0,
        differing: { email_here: 2, password_here: 1, status_here: 1 },
      },
    });
  });

  test('when both sides made the same change, then the next change of one side is not a conflict', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const csv = fixture.write('old.csv', members(row('alice', 'one')));
    await fixture.summary('--csv', csv, ...APPLY);
    const db = await opened(url);
    await db.kysely
      .updateTable('player')
      .set({ password_hash: oldHash('two') })
      .execute();
    fixture.write('old.csv', members(row('alice', 'two')));
    expect(await fixture.summary('--csv', csv, ...APPLY)).toMatchObject({ updated: 0, unchanged: 1 });
    fixture.write('old.csv', members(row('alice', 'three')));
    expect(await fixture.summary('--csv', csv, ...APPLY)).toMatchObject({ updated: 1, conflicts: 0 });
  });

  test('when hashes are sealed here, then a changed one is compared and sealed again', async () => {
    const url = await engine.freshUrl();
    const auth = { password_key: OLD_KEY, jwt_secret: 'x'.repeat(32), seal_key: ['s'.repeat(32)] };
    const fixture = importFixture(url, { auth });
    const csv = fixture.write('old.csv', members(row('alice', 'one'), row('bob', 'one')));
    await fixture.summary('--csv', csv, ...APPLY);
    fixture.write('old.csv', members(row('alice', 'two'), row('bob', 'one')));
    expect(await fixture.summary('--csv', csv, ...APPLY)).toMatchObject({ updated: 1, unchanged: 1 });
    const db = await opened(url);
    const stored = await db.kysely.selectFrom('player').select('password_hash').execute();
    for (const { password_hash } of stored) expect(password_hash).toMatch(/^s1:/);
    const app = await startTestApp(url, { auth });
    expect((await app.post('/api/login', { account: 'alice', password: 'two' })).status).toBe(200);
  });
});

test('when nothing has changed, then a repeated import writes nothing to the database', async () => {
  const file = join(tempDir('unchanged'), 'gatehouse.db');
  const fixture = importFixture(`sqlite:${file}`);
  const csv = fixture.write('old.csv', `${manyAccounts(5000)}bad,hash\n`);
  await fixture.summary('--csv', csv, '--apply');
  const database = new DatabaseSync(file);
  // Changes with every commit of another connection.
  const version = () => database.prepare('PRAGMA data_version').get();
  const before = version();
  expect(await fixture.summary('--csv', csv, '--apply')).toMatchObject({ unchanged: 5000, refused: 1 });
  expect(version()).toEqual(before);
  await fixture.summary('--csv', fixture.write('old.csv', manyAccounts(5001)), '--apply');
  expect(version()).not.toEqual(before);
  database.close();
});

test('when --watch is given, then it prints a line per run, and Ctrl-C ends it', async () => {
  const fixture = importFixture(`sqlite:${join(tempDir('watch'), 'gatehouse.db')}`);
  const csv = fixture.write('old.csv', manyAccounts(3));
  const command = ['import', '--csv', csv, '--apply', '--watch', '1', '--config', fixture.config];
  const child = spawn(process.execPath, [serviceEntry(), ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  expect((await lines.next()).value).toMatch(/ {2}added 3, updated 0, kept 0, refused 0$/);
  fixture.write('old.csv', manyAccounts(5));
  for (;;) {
    const { value = '' } = await lines.next();
    if (/added 2, updated 0, kept 0, refused 0$/.test(value)) break;
    expect(value).toMatch(/added 0, updated 0, kept 0, refused 0$/);
  }
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
});

test.each(['sha1(password+key)', 'md5(md5(password)+salt)', 'md5(key+password)', 'bcrypt'])(
  'when the old service computes hashes as %s, then the import is refused and says why',
  async (rule) => {
    const fixture = importFixture('sqlite:unused.db');
    const csv = fixture.write('old.csv', manyAccounts(1));
    const { code, stderr } = await fixture.run('--csv', csv, '--hash', rule);
    expect(code).toBe(1);
    expect(stderr).toContain(`only md5(password+key) can be taken over`);
    expect((await fixture.run('--csv', csv, '--hash', 'MD5($password . $key)')).code).toBe(0);
  },
);
