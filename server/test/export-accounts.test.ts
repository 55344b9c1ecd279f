import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowDataPacket } from 'mysql2';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import type { Db } from '../src/db/open.ts';
import { opened } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { importFixture, OLD_KEY, oldHash } from './support/import-fixture.ts';
import { type OldDatabase, oldDatabase } from './support/old-database.ts';

const MAP =
  'account=username,password_hash=passwd,email=mail,created_at=joined,last_login_at=seen,last_login_ip=ip,status=state';
/** As old services had it: MyISAM, GBK, upper-case hashes, zero dates, no unique name. */
const MEMBERS = `CREATE TABLE members (uid INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(20) NOT NULL, passwd CHAR(32),
  mail VARCHAR(60) NULL, joined INT NOT NULL DEFAULT 0, seen DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  ip INT UNSIGNED NOT NULL DEFAULT 0, state TINYINT NOT NULL DEFAULT 0, groupid INT NOT NULL) ENGINE = MyISAM DEFAULT CHARSET gbk`;
const member = (uid: number, name: string, password: string, mail: string | null = null) =>
  `INSERT INTO members VALUES (${uid}, '${name}', '${oldHash(password).toUpperCase()}', ${mail === null ? 'NULL' : `'${mail}'`},
    1500000000, '2016-06-01 08:30:00', 3232235777, 0, 3)`;

async function rowsOf({ connection }: OldDatabase) {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT *, CAST(seen AS CHAR) AS seen FROM members ORDER BY uid`,
  );
  return rows.map((row) => ({ ...row }));
}

async function fixtureOf(url: string, old: OldDatabase, settings = {}) {
  const fixture = importFixture(url, settings);
  const columns = ['--table', 'members', '--map', MAP, '--status', '0=active,1=banned'];
  const exporting = (...args: string[]) =>
    runCommand(
      [
        'export-accounts',
        '--to',
        old.url,
        ...columns,
        '--set',
        'groupid=3',
        '--report',
        join(fixture.folder, 'r.csv'),
        '--conflicts',
        join(fixture.folder, 'c.csv'),
        ...args,
      ],
      { config: fixture.config },
    );
  return {
    ...fixture,
    importing: (...args: string[]) => fixture.summary('--from', old.url, ...columns, '--apply', ...args),
    exporting,
    async exported(...args: string[]) {
      const { code, stdout, stderr } = await exporting('--json', ...args);
      if (code !== 0) throw new Error(`exit status ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

const setPassword = ({ kysely }: Db, account: string, password: string) =>
  kysely
    .updateTable('player')
    .set({ password_hash: oldHash(password) })
    .where('account', '=', account)
    .execute();

describeOnEngines('export-accounts', (engine) => {
  test('when accounts were made and changed here, then a dry run names what the old table cannot store, and --apply writes the rest', async () => {
    const old = await oldDatabase(
      MEMBERS,
      ...[
        member(1, '玩家', 'a', 'p@x.io'),
        member(5, 'bob', 'b'),
        member(6, 'both', 'c'),
        member(7, 'eve', 'd'),
      ],
    );
    const url = await engine.freshUrl();
    const fixture = await fixtureOf(url, old);
    await fixture.importing();
    const db = await opened(url);
    await setPassword(db, '玩家', 'new');
    await setPassword(db, 'both', 'mine');
    await db.kysely
      .updateTable('player')
      .set({ status: 'banned', email: 'eve@x.io' })
      .where('account', '=', 'eve')
      .execute();
    await db.kysely.updateTable('player').set({ two_factor: 1 }).where('account', '=', 'bob').execute();
    await old.connection.query(`UPDATE members SET passwd = MD5('theirs') WHERE username = 'both'`);
    const made = [
      {
        account: 'Newcomer',
        password_hash: oldHash('n'),
        email: 'n@x.io',
        created_at: 1_600_000_000_000,
        last_login_at: 1_600_000_000_000,
        last_login_ip: '10.0.0.1',
      },
      { account: 'no_password', created_at: 1 },
      {
        account: 'rehashed',
        password_argon2: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
        created_at: 1,
      },
      { account: 'a_name_longer_than_20_', password_hash: oldHash('n'), created_at: 1 },
      { account: 'smile😀', password_hash: oldHash('n'), created_at: 1 },
      { account: '#9', erased_at: 1, created_at: 1 },
    ];
    for (const player of made) await db.kysely.insertInto('player').values(player).execute();

    const before = await rowsOf(old);
    const dry = await fixture.exporting();
    const lines = dry.stdout.trim().split('\n');
    expect(lines[0]).toBe('accounts that the old table cannot store completely:');
    expect(lines.slice(1, 5).sort()).toEqual([
      '  1 with an argon2id hash only: they keep the old password there, and new ones are not added',
      '  1 with two-factor login: there the password alone lets in',
      '  1 without a password, made by a forum login: they are not added',
      '  2 with a value that is too long for the old column or not in its encoding: they are not written',
    ]);
    expect(lines[5]).toBe('dry run: added 1, updated 2, kept 1, refused 4');
    expect(lines.at(-1)).toBe('dry run: nothing was written; export with --apply');
    expect(await rowsOf(old)).toEqual(before);
    expect(await auditRows(db)).toHaveLength(1);

    expect(await fixture.exported('--apply')).toMatchObject({
      ...{ applied: true, added: 1, updated: 2, kept: 1, refused: 4, conflicts: 1 },
      cannot_store: { two_factor: 1, no_password: 1, argon2id: 1, value: 2 },
    });
    const upper = (password: string) => oldHash(password).toUpperCase();
    expect(await rowsOf(old)).toEqual([
      { ...before[0], passwd: upper('new') },
      before[1],
      before[2],
      { ...before[3], mail: 'eve@x.io', state: 1 },
      {
        ...{ uid: 8, username: 'Newcomer', passwd: upper('n'), mail: 'n@x.io', joined: 1_600_000_000 },
        ...{ seen: '2020-09-13 20:26:40', ip: 167_772_161, state: 0, groupid: 3 },
      },
    ]);
    expect(readFileSync(join(fixture.folder, 'c.csv'), 'utf8')).toContain('"6","both","password",');
    expect((await auditRows(db)).map(({ action }) => action).sort()).toEqual(['export', 'import.run']);

    // Both sides agree now, whichever way the accounts go next.
    expect(await fixture.exported('--apply')).toMatchObject({ added: 0, updated: 0, kept: 1 });
    expect(await fixture.importing()).toMatchObject({ added: 0, updated: 0, kept: 1, unchanged: 4 });
    await old.connection.query(`UPDATE members SET passwd = MD5('x') WHERE username = 'Newcomer'`);
    expect(await fixture.importing()).toMatchObject({ updated: 1, conflicts: 1 });
  });

  test('when a ban has ended here, then it is not written, and the next ban there is taken', async () => {
    const old = await oldDatabase(
      ...[MEMBERS, member(1, 'ended', 'a'), member(2, 'freed', 'b')],
      `UPDATE members SET state = 1 WHERE username = 'freed'`,
    );
    const url = await engine.freshUrl();
    const fixture = await fixtureOf(url, old);
    await fixture.importing();
    const db = await opened(url);
    const ban = { status: 'banned', banned_until: 1 };
    await db.kysely.updateTable('player').set(ban).execute();
    const newcomer = { account: 'Newcomer', password_hash: oldHash('n'), created_at: 1, ...ban };
    await db.kysely.insertInto('player').values(newcomer).execute();

    expect(await fixture.exported('--apply')).toMatchObject({
      ...{ added: 1, updated: 1, kept: 0, refused: 0, cannot_store: {} },
    });
    const states = (await rowsOf(old)).map(({ username, state }) => [username, state]);
    expect(states).toEqual([
      ['ended', 0],
      ['freed', 0],
      ['Newcomer', 0],
    ]);
    await old.connection.query(`UPDATE members SET state = 1 WHERE username = 'ended'`);
    expect(await fixture.importing()).toMatchObject({ updated: 1, kept: 0, unchanged: 2 });
    expect(
      await db.kysely.selectFrom('player').selectAll().where('account', '=', 'ended').executeTakeFirst(),
    ).toMatchObject({ status: 'banned', banned_until: null });
  });
});

test.each([
  ['utf8mb4_unicode_ci', ['zoe', 'ann'], ['tuan: tuấn', 'Jose: josé', 'zoë: zoe']],
  ['utf8mb4_bin', ['tuan', 'Jose', 'zoe', 'zoë', 'ann'], []],
])(
  'when names of %s are equal there, then they are left out and reported',
  async (collation, added, equal) => {
    const old = await oldDatabase(
      `CREATE TABLE members (uid INT AUTO_INCREMENT PRIMARY KEY, account VARCHAR(50) UNIQUE, password_hash CHAR(32))
      DEFAULT CHARSET utf8mb4 COLLATE ${collation}`,
      `INSERT INTO members (account, password_hash) VALUES ('tuấn', '${oldHash('a')}'), ('josé', '${oldHash('b')}')`,
    );
    const { folder } = importFixture('sqlite:unused.db');
    const url = `sqlite:${join(folder, 'gatehouse.db')}`;
    const fixture = importFixture(url);
    await fixture.summary('--from', old.url, '--table', 'members', '--apply');
    const db = await opened(url);
    for (const account of ['tuan', 'Jose', 'zoe', 'zoë', 'ann'])
      await db.kysely
        .insertInto('player')
        .values({ account, password_hash: oldHash('n') })
        .execute();
    const report = join(folder, 'r.csv');
    const exported = async (...args: string[]) => {
      const options = ['--to', old.url, '--table', 'members', '--report', report, '--json', ...args];
      const { code, stdout, stderr } = await runCommand(['export-accounts', ...options], {
        config: fixture.config,
      });
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return JSON.parse(stdout);
    };
    const outcome = { added: added.length, kept: 0, refused: equal.length };
    expect(await exported()).toMatchObject(outcome);
    expect(await exported('--apply')).toMatchObject(outcome);
    const [rows] = await old.connection.query<RowDataPacket[]>('SELECT account FROM members ORDER BY uid');
    expect(rows.map(({ account }) => account)).toEqual(['tuấn', 'josé', ...added]);
    const lines = equal.length === 0 ? [] : readFileSync(report, 'utf8').trim().split('\n').slice(1);
    expect(
      lines.map((line) => line.replace(/^"player \d+","(.*)","skipped",.* earlier(: .*)"$/, '$1$2')),
    ).toEqual(equal);
    expect(await exported('--apply')).toMatchObject({ ...outcome, added: 0 });
  },
);

test('when a latin1 column holds GBK, then names are found and written in GBK', async () => {
  const old = await oldDatabase(
    'CREATE TABLE members (uid INT AUTO_INCREMENT PRIMARY KEY, account VARCHAR(50) CHARACTER SET latin1, password_hash CHAR(32) CHARACTER SET latin1)',
    `INSERT INTO members (account, password_hash) VALUES (CONVERT(CONVERT('玩家1' USING gbk) USING binary), '${oldHash('a')}')`,
  );
  const url = `sqlite:${join(importFixture('sqlite:unused.db').folder, 'gatehouse.db')}`;
  const fixture = importFixture(url, {
    auth: { password_key: OLD_KEY, jwt_secret: 'x'.repeat(32), seal_key: ['s'.repeat(32)] },
  });
  const options = ['--table', 'members', '--encoding', 'gb18030'];
  await fixture.summary('--from', old.url, ...options, '--apply');
  const db = await opened(url);
  await setPassword(db, '玩家1', 'new');
  await db.kysely
    .insertInto('player')
    .values({ account: '新玩家', password_hash: oldHash('n') })
    .execute();
  const { code, stdout } = await runCommand(
    ['export-accounts', '--to', old.url, ...options, '--apply', '--json'],
    { config: fixture.config },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: 1, updated: 1, refused: 0 });
  const [rows] = await old.connection.query(
    'SELECT CONVERT(CONVERT(CAST(account AS BINARY) USING gbk) USING utf8mb4) AS account, password_hash FROM members ORDER BY uid',
  );
  expect(rows).toEqual([
    { account: '玩家1', password_hash: oldHash('new') },
    { account: '新玩家', password_hash: oldHash('n') },
  ]);
});

test.each([
  [['--table', 'members'], '--to must be mysql://'],
  [['--to', 'OLD'], '--to needs --table NAME'],
  [['--to', 'OLD', '--table', 'members', '--map', MAP], 'need a value for groupid: --set groupid=VALUE'],
  [
    ['--to', 'OLD', '--table', 'members', '--map', MAP, '--set', 'groupid=1,other=2'],
    'the old table has no column other',
  ],
  [['--to', 'OLD', '--table', 'bare'], 'needs a primary key of one column'],
])('when it is called with %j, then one line says what is wrong', async (args, message) => {
  const old = await oldDatabase(MEMBERS, 'CREATE TABLE bare (account VARCHAR(9), password_hash CHAR(32))');
  const fixture = importFixture('sqlite:gatehouse.db');
  const { code, stdout, stderr } = await runCommand(
    ['export-accounts', ...args.map((arg) => (arg === 'OLD' ? old.url : arg))],
    { config: fixture.config },
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
});
