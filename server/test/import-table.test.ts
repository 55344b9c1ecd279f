import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { opened } from './db/opened.ts';
import { importFixture, oldHash } from './support/import-fixture.ts';
import { oldDatabase } from './support/old-database.ts';
import { startPausedImport } from './support/paused-import.ts';

const MEMBERS = `CREATE TABLE members (
  uid INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) CHARACTER SET gbk, passwd CHAR(32), mail VARCHAR(90) NULL,
  joined TIMESTAMP NULL, seen DATETIME NULL, ip INT UNSIGNED, avatar BLOB NULL)`;
const MAP =
  'account=username,password_hash=passwd,email=mail,created_at=joined,last_login_at=seen,last_login_ip=ip';

describeByTier('import from an old table', (engine) => {
  test('when it is read directly from MySQL, then text, times and addresses are converted correctly', async () => {
    const { url: old } = await oldDatabase(
      MEMBERS,
      `SET time_zone = '+08:00'`,
      `INSERT INTO members VALUES
        (5, '玩家', '${oldHash('a')}', 'P@x.io', '2015-06-01 08:30:00', '2016-06-01 08:30:00', 3232235777, NULL),
        (9, 'bob', 'plain text!', NULL, NULL, NULL, 0, NULL)`,
    );
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const summary = await fixture.summary('--from', old, '--table', 'members', '--map', MAP, '--apply');
    expect(summary).toMatchObject({ read: 2, imported: 1, unused_columns: ['uid', 'avatar'] });
    expect(readFileSync(join(fixture.folder, 'gatehouse-import-members.report.csv'), 'utf8')).toBe(
      'uid,account,outcome,reason\n"9","bob","skipped","the password hash is not 32 hexadecimal characters"\n',
    );
    const db = await opened(url);
    expect(await db.kysely.selectFrom('player').selectAll().execute()).toMatchObject([
      {
        account: '玩家',
        email: 'p@x.io',
        created_at: Date.parse('2015-06-01T00:30:00Z'),
        last_login_at: Date.parse('2016-06-01T00:30:00Z'),
        last_login_ip: '192.168.1.1',
        password_hash: oldHash('a'),
      },
    ]);
  });

  test('when a latin1 column holds GBK, then the summary says so, and --encoding reads it correctly', async () => {
    const meant = `CONVERT(CONVERT('玩家100' USING gbk) USING binary)`;
    const { url: old } = await oldDatabase(
      'CREATE TABLE members (uid INT PRIMARY KEY, account VARCHAR(50) CHARACTER SET latin1, password_hash CHAR(32), device VARCHAR(50))',
      `INSERT INTO members VALUES (1, ${meant}, MD5(1), '手机'), (2, 'José', MD5(2), ''), (3, '${'x'.repeat(9)}', MD5(3), '')`,
    );
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const source = ['--from', old, '--table', 'members'];
    expect(await fixture.summary(...source)).toMatchObject({ imported: 3, misread: 1 });
    expect((await fixture.run(...source)).stdout).toContain('(Íæ¼Ò100 for 玩家100): try --encoding gb18030');
    const { misread } = await fixture.summary(...source, '--encoding', 'gb18030', '--apply');
    expect(misread).toBe(0);
    const db = await opened(url);
    const [first] = await db.kysely.selectFrom('player').selectAll().orderBy('id').execute();
    expect(first).toMatchObject({ account: '玩家100', device: '手机', origin: 'import' });
  });

  test.each([
    ['gbk', 'MyISAM'],
    ['utf8mb3', 'InnoDB'],
    ['latin1', 'InnoDB'],
  ])(
    'when a %s table changes while the old service runs, then a repeated import follows it',
    async (charset, storage) => {
      const { url: old, connection } = await oldDatabase(
        `CREATE TABLE members (uid INT PRIMARY KEY, username VARCHAR(50), passwd CHAR(40), mail VARCHAR(90) NULL, joined DATETIME NULL,
         seen TIMESTAMP NULL, ip VARCHAR(20) NULL) ENGINE = ${storage} DEFAULT CHARSET ${charset}`,
        `SET sql_mode = ''`,
        `INSERT INTO members VALUES (1, 'José', '${oldHash('a').toUpperCase()}', NULL, '0000-00-00 00:00:00', NULL, NULL),
         (2, 'bob', ' ${oldHash('b')} ', 'B@x.io', '2015-06-01 08:30:00', '2016-06-01 00:30:00', '10.0.0.1'),
         (3, NULL, NULL, NULL, NULL, NULL, NULL), (4, 'eve', NULL, NULL, NULL, NULL, NULL)`,
      );
      const url = await engine.freshUrl();
      const fixture = importFixture(url);
      const options = ['--from', old, '--table', 'members', '--map', MAP, '--apply'];
      expect(await fixture.summary(...options)).toMatchObject({
        ...{ added: 2, refused: 2, unknown_created_at: 1, reasons: { no_account: 1, bad_hash: 1 } },
      });
      expect(await fixture.summary(...options)).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
      await connection.query(`UPDATE members SET passwd = '${oldHash('new').toUpperCase()}' WHERE uid = 1`);
      await connection.query(`UPDATE members SET mail = NULL WHERE uid = 2`);
      await connection.query(`UPDATE members SET passwd = '${oldHash('d')}' WHERE uid = 4`);
      expect(await fixture.summary(...options)).toMatchObject({ added: 1, updated: 2, refused: 1 });
      const db = await opened(url);
      const stored = await db.kysely.selectFrom('player').selectAll().orderBy('id').execute();
      expect(stored).toMatchObject([
        { account: 'José', password_hash: oldHash('new'), token_version: 1, created_at: 0 },
        { account: 'bob', email: '', token_version: 0, last_login_at: Date.parse('2016-06-01T00:30:00Z') },
        { account: 'eve', password_hash: oldHash('d') },
      ]);
    },
  );

  test('when an import from a table was interrupted, then --resume continues after the last key', async () => {
    const { url: old } = await oldDatabase(
      'CREATE TABLE members (uid INT PRIMARY KEY, account VARCHAR(50), password_hash CHAR(32))',
      `INSERT INTO members SELECT seq, CONCAT('player', seq), MD5(seq) FROM seq_1_to_20000`,
      `INSERT INTO members VALUES (0, 'late', 'unusable'), (20001, 'PLAYER1', MD5('x')), (20002, 'late', MD5('y'))`,
    );
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const source = ['--from', old, '--table', 'members'];
    const checkpoint = join(fixture.folder, 'gatehouse-import-members.checkpoint.json');
    const { child, resume } = await startPausedImport(fixture, { source, checkpoint });
    child.kill('SIGINT');
    expect((await resume()).code).toBe(130);

    expect(readFileSync(checkpoint, 'utf8')).not.toContain(new URL(old).password);
    expect(await fixture.summary(...source, '--apply', '--resume')).toMatchObject({
      read: 20_003,
      imported: 20_001,
      already_there: 0,
      reasons: { bad_hash: 1, duplicate: 1 },
    });
    expect(existsSync(checkpoint)).toBe(false);
    expect(readFileSync(join(fixture.folder, 'gatehouse-import-members.report.csv'), 'utf8')).toContain(
      '"20001","PLAYER1","skipped","the same account appears earlier: uid 1 was taken"',
    );
  });
});

test('when --encoding would change nothing, then it is refused and not ignored', async () => {
  const { url: old } = await oldDatabase(
    `${MEMBERS.replace(', avatar BLOB NULL', '')} DEFAULT CHARSET utf8mb4`,
  );
  const { code, stderr } = await importFixture('sqlite:gatehouse.db').run(
    ...['--from', old, '--table', 'members', '--map', MAP, '--encoding', 'gbk'],
  );
  expect(code).not.toBe(0);
  expect(stderr).toContain('has no latin1 or binary column');
});

test('when the table has no key of one column, then it is still read, but cannot be resumed', async () => {
  const { url: old } = await oldDatabase(
    'CREATE TABLE members (account VARCHAR(50), password_hash CHAR(32))',
    `INSERT INTO members VALUES ('one', MD5(1)), ('two', MD5(2)), ('two', MD5(3))`,
  );
  const fixture = importFixture('sqlite:gatehouse.db');
  const options = ['--from', old, '--table', 'members', '--apply'];
  expect(await fixture.summary(...options)).toMatchObject({ imported: 2, reasons: { duplicate: 1 } });
  const { code, stderr } = await fixture.run(...options, '--resume');
  expect(code).toBe(1);
  expect(stderr).toContain('--resume needs a table whose primary key is a single column');
});
