import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { startMariadb } from '../../test-support/mariadb.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { openDatabase } from '../src/db/open.ts';
import { importFixture, manyAccounts, OLD_KEY, oldHash } from './support/import-fixture.ts';
import { makeOperator } from './support/operator.ts';
import { startPausedImport } from './support/paused-import.ts';
import { startTestApp } from './support/test-app.ts';

const MAP = ['--map', 'account=username,password_hash=password,email=mail,created_at=regtime,status=state'];

const fromCsv = (csv: string) => ({ source: ['--csv', csv], checkpoint: `${csv}.checkpoint.json` });

async function players(url: string) {
  const db = await openDatabase(url);
  try {
    return await db.kysely.selectFrom('player').selectAll().orderBy('id').execute();
  } finally {
    await db.close();
  }
}

describeByTier('import', (engine) => {
  test('when an old player is imported, then the old password logs in and the old md5 token is confirmed', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const hash = oldHash('geheim-1');
    const csv = fixture.write(
      'old.csv',
      `\ufeffuid,username,password,mail,regtime,state\r\n7,"玩家 ""one"", east",${hash.toUpperCase()}, One@Example.COM ,1500000000,\r\n`,
    );
    const summary = await fixture.summary('--csv', csv, ...MAP, '--apply');
    expect(summary).toMatchObject({
      applied: true,
      complete: true,
      read: 1,
      imported: 1,
      unused_columns: ['uid'],
    });

    expect(await players(url)).toMatchObject([
      {
        account: '玩家 "one", east',
        password_hash: hash,
        email: 'one@example.com',
        email_key: null,
        created_at: 1_500_000_000_000,
        status: 'active',
        token_version: 0,
      },
    ]);
    const app = await startTestApp(url, { auth: { password_key: OLD_KEY } });
    const account = '玩家 "ONE", east';
    expect((await app.post('/api/login', { account, password: 'geheim-1' })).status).toBe(200);
    expect((await app.post('/api/check', { account, token: hash })).body).toMatchObject({
      valid: true,
      format: 'legacy',
    });
  });

  test('when --apply is left out, then nothing is written and the summary says so', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const { code, stdout } = await fixture.run('--csv', fixture.write('old.csv', manyAccounts(3)));
    expect(code).toBe(0);
    expect(stdout).toMatch(/would be imported +3\n/);
    expect(stdout).toContain('dry run: nothing was written; import with --apply');
    expect(await players(url)).toEqual([]);
  });

  test('when rows cannot be used, then each is reported with its line and reason, and the others are imported', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const good = oldHash('x');
    const csv = fixture.write(
      'old.csv',
      [
        'username,password,mail,regtime,state',
        `alice,${good},"a@x.io\n",0,0`,
        `,${good},,,`,
        `bob,not-a-hash,,,`,
        `${'长'.repeat(65)},${good},,,`,
        `"tab\tbed",${good},,,`,
        `ALICE ,${good},,,`,
        `carol,${good},,,9`,
        `dave,${good}`,
        '',
        `=evil(),${good},no address,yesterday,1`,
        `${'长'.repeat(64)},${good},,2015-06-01 08:30:00,`,
      ].join('\n'),
    );
    const options = ['--csv', csv, ...MAP, '--status', '0=active,1=banned', '--apply'];
    const { code, stdout } = await fixture.run(...options);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^imported +3$/m);
    expect(stdout).toMatch(/^not usable +7$/m);
    expect(stdout).toContain(`rows that need attention: ${csv}.report.csv`);
    expect(readFileSync(`${csv}.report.csv`, 'utf8').trim().split('\n').map(shortened)).toEqual([
      'line,account,outcome,reason',
      '"4","","skipped","no account name"',
      '"5","bob","skipped","the password hash is not 32 hexadecimal characters"',
      '"6","长…","skipped","the account name has more than 64 characters"',
      '"7","tab\tbed","skipped","control characters in the account name"',
      '"8","ALICE ","skipped","the same account appears earlier: line 2 was taken"',
      '"9","carol","skipped","a status other than active or banned (see --status)"',
      '"10","","skipped","the record has another number of fields than the header"',
      `"12","'=evil()","changed","unreadable and left out: email, created_at"`,
    ]);
    expect(statSync(`${csv}.report.csv`).mode & 0o077).toBe(0);
    const stored = await players(url);
    expect(stored.map(({ email, status }) => [email, status])).toEqual([
      ['a@x.io', 'active'],
      ['', 'banned'],
      ['', 'active'],
    ]);
    // The default time zone is Asia/Shanghai.
    expect(stored[2]?.created_at).toBe(Date.parse('2015-06-01T00:30:00Z'));
    expect((await fixture.run(...options, '--strict')).code).toBe(1);
  });

  test('when the old data has no registration time, then it stays unknown and counts on no day', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const rows = (column: string, values: readonly string[]) =>
      [
        `account,password_hash,agent_id,${column}`,
        ...values.map((value, index) => `${column}${index},${oldHash('x')},1,${value}`),
      ].join('\n');
    const dated = fixture.write(
      'dated.csv',
      rows('created_at', ['0000-00-00 00:00:00', '', 'then', '1500000000']),
    );
    expect(await fixture.summary('--csv', dated, '--apply')).toMatchObject({
      imported: 4,
      left_out: { created_at: 1 },
      unknown_created_at: 3,
    });
    const undated = fixture.write('undated.csv', rows('os', ['Windows', '']));
    expect((await fixture.run('--csv', undated, '--apply')).stdout).toMatch(
      /^ {2}of these with an unknown registration time +2$/m,
    );

    const app = await startTestApp(url, { console: { require_totp: false } });
    const boss = await makeOperator(app);
    await app.db.kysely.insertInto('agent').values({ agent_id: 1, name: 'Zhang' }).execute();
    const { players: listed } = (await boss.get('players')).body as { players: { created_at: unknown }[] };
    expect(listed.map(({ created_at }) => created_at).filter(Boolean)).toEqual(['2017-07-14T02:40:00.000Z']);
    expect((await boss.get('registrations')).body).toMatchObject({ count: 0, by_promoter: [] });
    expect((await boss.get('promoters/1')).body).toMatchObject({ registrations: 0 });
  });

  test('when it is interrupted, then it stops after a batch, and --resume continues from there', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const count = 20_000;
    const csv = fixture.write('old.csv', `${manyAccounts(count)}PLAYER1,${oldHash('other')}\n`);
    const { child, resume } = await startPausedImport(fixture, fromCsv(csv));
    child.kill('SIGINT');
    expect((await resume()).code).toBe(130);
    const before = (await players(url)).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(count);
    expect(before % 50).toBe(0);

    expect(await fixture.summary('--csv', csv, '--apply', '--resume')).toMatchObject({
      read: count + 1,
      imported: count,
      already_there: 0,
      reasons: { duplicate: 1 },
    });
    const stored = await players(url);
    expect(stored).toHaveLength(count);
    const first = stored.find(({ account }) => account === 'player1');
    expect(first).toMatchObject({ password_hash: oldHash('pw1'), token_version: 0 });
  });

  test('when the process is killed, then a plain second run adds what is missing', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const csv = fixture.write('old.csv', manyAccounts(20_000));
    const { child, resume } = await startPausedImport(fixture, fromCsv(csv));
    child.kill('SIGKILL');
    await resume();
    const before = (await players(url)).length;
    expect(before).toBeLessThan(20_000);

    const summary = await fixture.summary('--csv', csv, '--apply');
    expect(summary).toMatchObject({ read: 20_000, already_there: before, imported: 20_000 - before });
  });

  test('when the file has changed since, then --resume is refused', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const csv = fixture.write('old.csv', manyAccounts(20_000));
    const { child, resume } = await startPausedImport(fixture, fromCsv(csv));
    child.kill('SIGINT');
    await resume();
    fixture.write('old.csv', manyAccounts(20_001));
    const { code, stderr } = await fixture.run('--csv', csv, '--apply', '--resume');
    expect(code).toBe(1);
    expect(stderr).toContain('belongs to another import, or its source has changed');
  });
});

test('when the database fails during the import, then the import says how far it came and continues later', async () => {
  const mariadb = await startMariadb();
  const url = await mariadb.createDatabase();
  const fixture = importFixture(url);
  const csv = fixture.write('old.csv', manyAccounts(20_000));
  const { resume } = await startPausedImport(fixture, fromCsv(csv));
  await mariadb.kill();
  const { code, stderr } = await resume();
  expect(code).toBe(4);
  expect(stderr).toMatch(/gatehouse: .*; [\d,]+ rows are done, continue with --resume\n$/);

  await mariadb.restart();
  expect(await fixture.summary('--csv', csv, '--apply', '--resume')).toMatchObject({
    read: 20_000,
    not_usable: 0,
  });
  expect(await players(url)).toHaveLength(20_000);
  await mariadb.kill();
}, 180_000);

test.each([
  [[], 'specify where the accounts come from: --csv FILE, or --from URL --table NAME'],
  [['--csv', 'nowhere.csv'], 'cannot read nowhere.csv (ENOENT)'],
  [
    ['--csv', 'old.csv', '--map', 'account=name'],
    'the source has no column name for account; it has account, password_hash',
  ],
  [['--csv', 'old.csv', '--map', 'nickname=a'], 'nickname cannot be imported; these can: account,'],
  [['--csv', 'empty.csv'], 'empty.csv is empty: its first line must name the columns'],
  [['--csv', 'open.csv'], 'line 2 opens a quote that is not closed'],
  [['--csv', 'old.csv', '--encoding', 'klingon'], 'klingon is not a known encoding'],
  [['--csv', 'old.csv', '--apply', '--dry-run'], '--dry-run and --apply cannot be combined'],
  [['--from', 'mysql://u:geheim@127.0.0.1:1/old', '--table', 't'], 'ECONNREFUSED'],
])('when it is called with %j, then one line says what is wrong', async (args, message) => {
  const fixture = importFixture('sqlite:unused.db');
  fixture.write('old.csv', manyAccounts(1));
  fixture.write('empty.csv', '');
  fixture.write('open.csv', 'account,password_hash\n"abc,1\n');
  const { code, stdout, stderr } = await fixture.run(...args);
  expect(code).toBe(message === 'ECONNREFUSED' ? 4 : 1);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toContain('geheim');
});

test('when the file is in a Chinese encoding, then --encoding reads it, and without it the rows are refused', async () => {
  const url = freshSqlite();
  const fixture = importFixture(url);
  const gbk = Buffer.concat([
    Buffer.from('account,password_hash\n'),
    Buffer.from([0xcd, 0xe6, 0xbc, 0xd2]), // 玩家
    Buffer.from(`,${oldHash('x')}\n`),
  ]);
  const csv = fixture.write('old.csv', gbk);
  expect(await fixture.summary('--csv', csv)).toMatchObject({ imported: 0, reasons: { unreadable_text: 1 } });
  await fixture.summary('--csv', csv, '--apply', '--encoding', 'gb18030');
  expect(await players(url)).toMatchObject([{ account: '玩家' }]);
});

function shortened(line: string): string {
  return line.replace(/长{60,}/, '长…');
}
