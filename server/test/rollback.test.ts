import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { createDatabase } from '../../test-support/mariadb.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { importFixture, oldHash } from './support/import-fixture.ts';

/** `npm run test:rollback` runs it with 200,000. */
const ROWS = Number(process.env.ROLLBACK_ROWS ?? 300);
const CHANGED = Math.ceil(ROWS / 100);

/** An old table without an index on the name: duplicates, names that differ in case or spaces, dates in the future. */
const OLD = [
  `CREATE TABLE members (uid INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50), password VARCHAR(40),
     mail VARCHAR(90), regtime BIGINT) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci`,
  `INSERT INTO members (username, password, mail, regtime)
     SELECT CONCAT('玩家', seq), IF(seq % 2, MD5(seq), UPPER(MD5(seq))), CONCAT(seq, '@x.io'), 1500000000 + seq
     FROM seq_1_to_${ROWS}`,
  `INSERT INTO members (username, password, mail, regtime)
     SELECT CASE seq % 3 WHEN 0 THEN CONCAT('Clash', seq DIV 3) WHEN 1 THEN CONCAT('clash', seq DIV 3) ELSE CONCAT('clash', seq DIV 3, ' ') END,
     MD5(CONCAT('clash', seq)), '', 4000000000 FROM seq_0_to_${3 * CHANGED - 1}`,
  `INSERT INTO members (username, password, mail, regtime) SELECT CONCAT('twice', seq DIV 2), MD5(CONCAT('twice', seq)), '', 0
     FROM seq_0_to_${2 * CHANGED - 1}`,
];

test('when the rollback is run, then exactly what changed here is written back', async () => {
  const server = sharedMariadbUrl();
  const [oldUrl, newUrl] = [await createDatabase(server), await createDatabase(server)];
  const old = await createConnection(oldUrl);
  for (const statement of OLD) await old.query(statement);
  const fixture = importFixture(newUrl);
  const map = 'account=username,password_hash=password,email=mail,created_at=regtime';
  const summary = await fixture.summary('--from', oldUrl, '--table', 'members', '--map', map, '--apply');
  expect(summary).toMatchObject({ imported: ROWS + 2 * CHANGED, reasons: { duplicate: 3 * CHANGED } });

  const names = { oldgame: new URL(oldUrl).pathname.slice(1), gatehouse: new URL(newUrl).pathname.slice(1) };
  const inNew = (sql: string) => old.query(sql.replaceAll('gatehouse.', `${names.gatehouse}.`));
  await inNew(`UPDATE gatehouse.player SET password_hash = '${oldHash('new')}', token_version = 1
    WHERE account IN (${Array.from({ length: CHANGED }, (_, n) => `'玩家${n * 7 + 1}'`).join()}, 'Clash0', 'twice1')`);
  // A ban and a login are not a new password. The old table has no column for bans.
  await inNew(
    `UPDATE gatehouse.player SET status = 'banned', email = 'b@x.io', last_login_at = 1 WHERE account = '玩家2'`,
  );
  await inNew(`INSERT INTO gatehouse.player (account, password_hash, email, created_at)
    VALUES ('Newcomer', '${oldHash('n')}', 'n@x.io', 1600000000000), ('newcomer2', '${oldHash('m')}', '', 5000000000000)`);

  await inNew(
    `INSERT INTO gatehouse.player (account, created_at, erased_at) VALUES ('#17', 1600000000000, 1600000000001)`,
  );

  await old.query('CREATE TABLE before_rollback (PRIMARY KEY (uid)) AS SELECT * FROM members');
  const started = performance.now();
  const { code, stdout } = await runCommand(
    ['export-accounts', '--to', oldUrl, '--table', 'members', '--map', map, '--apply', '--json'],
    { config: fixture.config },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: 2, updated: CHANGED + 3, kept: 0, refused: 0 });
  if (ROWS > 100_000) console.log(`${ROWS} accounts: ${Math.round(performance.now() - started)} ms`);

  const [changed] = await old.query(`SELECT now.username, now.password, now.mail FROM members now
    LEFT JOIN before_rollback old ON old.uid = now.uid WHERE NOT (old.password <=> now.password) ORDER BY now.uid`);
  const [moved] = await old.query(`SELECT username FROM members WHERE mail = 'b@x.io'`);
  expect(moved).toEqual([{ username: '玩家2' }]);
  const rows = changed as { username: string; password: string; mail: string | null }[];
  const newHash = oldHash('new');
  expect(
    rows.filter(({ password }) => password.toLowerCase() === newHash).map(({ username }) => username),
  ).toEqual([...Array.from({ length: CHANGED }, (_, n) => `玩家${n * 7 + 1}`), 'Clash0', 'twice1']);
  expect(rows.filter(({ password }) => password.toLowerCase() !== newHash)).toEqual([
    { username: 'Newcomer', password: oldHash('n'), mail: 'n@x.io' },
    { username: 'newcomer2', password: oldHash('m'), mail: null },
  ]);
  await old.end();
});
