import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authority, type Certificate, createAuthority } from '../../test-support/certificates.ts';
import { requireExecutable } from '../../test-support/executables.ts';
import { type Mariadb, startMariadb } from '../../test-support/mariadb.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { type RestartableServer, startServer } from '../../test-support/server.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { openDatabase } from '../src/db/open.ts';
import { examineRights } from '../src/features/doctor/admin/database.ts';
import { examineLinks } from '../src/features/doctor/admin/settings.ts';
import { openRedisLimiters } from '../src/integrations/redis-limiters.ts';
import { parseSettings } from '../src/settings/load.ts';
import { readTls } from '../src/urls/tls.ts';
import { importFixture } from './support/import-fixture.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

let authority: Authority;
let client: Certificate;
let mariadb: Mariadb;
let redis: RestartableServer;
let redisPort: number;

beforeAll(async () => {
  authority = createAuthority();
  const server = authority.issue('server');
  client = authority.issue('client');
  mariadb = await startMariadb({
    args: [`--ssl-ca=${authority.ca}`, `--ssl-cert=${server.cert}`, `--ssl-key=${server.key}`],
  });
  redisPort = await freePort();
  const tls = [
    '--tls-ca-cert-file',
    authority.ca,
    '--tls-cert-file',
    server.cert,
    '--tls-key-file',
    server.key,
  ];
  redis = await startServer({
    command: requireExecutable('redis-server'),
    args: ['--port', '0', '--tls-port', String(redisPort), '--dir', tempDir('redis'), '--save', '', ...tls],
    ready: async () => (await redisAt(`?${withClient()}`)) === undefined,
  });
});

afterAll(async () => {
  await mariadb?.kill();
  await redis?.kill();
});

const withClient = () => `ca=${authority.ca}&cert=${client.cert}&key=${client.key}`;

/** Returns undefined if it answers, else the reason. */
async function redisAt(query: string): Promise<string | undefined> {
  let reason: unknown;
  const opened = openRedisLimiters(`rediss://127.0.0.1:${redisPort}${query}`, {
    warn: (fields) => {
      reason = Reflect.get(fields, 'err');
    },
  });
  try {
    await opened.connected();
    return await opened.ping().then(
      () => undefined,
      (error) => String(reason ?? error),
    );
  } finally {
    opened.close();
  }
}

async function connects(url: string): Promise<true | string> {
  try {
    await (await openDatabase(url)).close();
    return true;
  } catch (error) {
    return (error as Error).message;
  }
}

test('when MariaDB requires TLS and a certificate, then the service works over it, and an address without them does not', async () => {
  const url = await mariadb.createDatabase('over_tls');
  await mariadb.execute(
    `CREATE USER careful@'%' IDENTIFIED BY 'pw' REQUIRE X509; GRANT ALL ON over_tls.* TO careful@'%'`,
  );
  const careful = url.replace(/gatehouse:[^@]+@/, 'careful:pw@');
  const app = await startTestApp(`${careful}?tls=true&${withClient()}`);
  await app.register('Encrypted');
  const { status } = await app.post('/api/login', { account: 'Encrypted', password: PASSWORD });
  expect(status).toBe(200);

  expect(await connects(careful)).toContain('Access denied');
  expect(await connects(`${careful}?tls=true&ca=${authority.ca}`)).toContain('Access denied');
  // Signed by an authority this machine does not know.
  expect(await connects(`${careful}?tls=true&cert=${client.cert}&key=${client.key}`)).toMatch(/certificate/);
  expect(await connects(`${url}?tls=unverified`)).toBe(true);
  expect(await connects(`${url}?tls=true&ca=/nowhere.pem`)).toContain('/nowhere.pem');
  expect(await connects(`${url}?tls=maybe`)).toContain('must be sqlite:path or mysql://');
});

test('when one user migrates and another serves, then the second needs no right to change tables', async () => {
  const url = await mariadb.createDatabase('two_users');
  await mariadb.execute(
    `CREATE USER serving@'%' IDENTIFIED BY 'pw'; GRANT SELECT, INSERT, UPDATE, DELETE ON two_users.* TO serving@'%'`,
  );
  const { migrate } = await import('../src/db/migrate.ts');
  const db = await openDatabase(url);
  await migrate(db);
  await db.close();
  const app = await startTestApp(url.replace(/gatehouse:[^@]+@/, 'serving:pw@'));
  await app.register('Served');
  const { stdout } = await app.cli('doctor', '--only', 'database');
  expect(stdout).toMatch(/^ok +database rights /m);
});

test('when old accounts are behind TLS, then they are imported over it', async () => {
  const url = await mariadb.createDatabase('old_game');
  await mariadb.execute(`USE old_game; CREATE TABLE members (account VARCHAR(9) PRIMARY KEY, password_hash CHAR(32));
    INSERT INTO members VALUES ('one', MD5(1))`);
  const fixture = importFixture(freshSqlite());
  const from = `${url}?tls=true&ca=${authority.ca}`;
  expect(await fixture.summary('--from', from, '--table', 'members')).toMatchObject({ imported: 1 });
});

test('when Redis uses TLS and requires a certificate, then it answers only with ours', async () => {
  // Waiting for a connection has a timeout, which a busy machine may reach.
  await expect.poll(() => redisAt(`?${withClient()}`)).toBeUndefined();
  await expect.poll(() => redisAt('')).toMatch(/certificate/i);
  expect(await redisAt(`?ca=${authority.ca}`)).toBeDefined();
});

test('when a certificate is not a small regular file, then it is not read', () => {
  const large = join(tempDir('tls-large'), 'ca.pem');
  writeFileSync(large, Buffer.alloc(1024 * 1024 + 1));
  for (const ca of ['/dev/zero', tempDir('tls-folder'), large])
    expect(() => readTls({ ca })).toThrow('not a regular file of at most 1 MiB');
});

test('when a link to another machine is unencrypted, or rights are too wide, then the doctor warns', () => {
  const auth = { password_key: 'k', jwt_secret: 'Zk3-qP9.vW1_xR7!mT5?hN2+bL8=cJ4/dG6' };
  const warned = (database: string, redisUrl: string) =>
    examineLinks(parseSettings({ auth, database: { url: database }, redis: { url: redisUrl } })).map(
      ({ check, detail }) => `${check} ${detail}`,
    );
  expect(warned('mysql://u:p@127.0.0.1/g', 'redis://localhost')).toEqual([]);
  expect(warned('mysql://u:p@10.0.0.5/g?tls=true', 'rediss://10.0.0.6')).toEqual([]);
  expect(warned('mysql://u:p@10.0.0.5/g', 'redis://10.0.0.6')).toEqual([
    'database.url the link to 10.0.0.5 is not encrypted',
    'redis.url the link to 10.0.0.6 is not encrypted',
  ]);
  expect(warned('mysql://u:p@10.0.0.5/g?tls=unverified', 'rediss://localhost')).toEqual([
    'database.url the link to 10.0.0.5 is encrypted, but the certificate is not verified',
  ]);
  expect(examineRights(['GRANT ALL PRIVILEGES ON *.* TO `g`@`%` WITH GRANT OPTION']).status).toBe('warning');
  expect(
    examineRights(['GRANT USAGE ON *.* TO `g`@`%`', 'GRANT ALL PRIVILEGES ON `g`.* TO `g`@`%`']).status,
  ).toBe('ok');
});
