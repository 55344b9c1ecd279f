import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { sharedMariadbUrl, sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { examineCallers } from '../src/features/doctor/admin/zones.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { doctor, KEY, STRONG, settingsFile } from './support/doctor.ts';
import { startTestApp } from './support/test-app.ts';

/** Opens a port that accepts and closes connections immediately. */
async function listening(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describeByTier('doctor', (engine) => {
  test('when all is well, then every line says so, and nothing was changed', async () => {
    const url = await engine.freshUrl();
    const db = await migratedAt(url);
    const games = tempDir('games');
    const game = new DatabaseSync(join(games, 'mir_actor_s1.db'));
    game.exec('CREATE TABLE actors (actorid INTEGER, actorname, accountname, level, nonbindyuanbao)');
    game.close();
    const port = await listening();
    const zone = {
      server_id: 1,
      name: '一区',
      address: '127.0.0.1',
      port,
      gm_url: `http://127.0.0.1:${port}/gm`,
    };
    await db.kysely.insertInto('server').values(zone).execute();

    const smtp = await startSmtp();
    onTestFinished(() => smtp.stop());
    const config = settingsFile({
      database: { url },
      mail: { url: smtp.url },
      redis: { url: sharedRedisUrl() },
      zones: { database_url: `sqlite:${games}` },
    });
    // On a starved machine, this mail server can take longer than the doctor waits.
    const { code, stdout } = await vi.waitFor(async () => {
      const result = await runCommand(['doctor'], { config });
      expect(result.stdout).not.toContain('the mail server took more than');
      return result;
    }, 40_000);
    expect(stdout).toMatch(/^ok +database +\S+ ?\S*, answers in [\d.]+ ms$/m);
    expect(stdout).toMatch(/^ok +migrations +all applied$/m);
    expect(stdout).toMatch(/^ok +redis +answers$/m);
    expect(stdout).toMatch(/^ok +mail +the mail server accepts the login$/m);
    expect(stdout).toMatch(/^ok +zone 1 game port /m);
    expect(stdout).toMatch(/^ok +zone 1 GM interface /m);
    expect(stdout).toMatch(/^ok +zone 1 game database +actors can be read$/m);
    expect(stdout).toMatch(/^\d+ ok, \d warnings, 0 failed$/m);
    expect(code).toBe(0);
  });

  test('when the tables do not exist yet, then the doctor says how to create them, and creates none', async () => {
    const config = settingsFile({ database: { url: await engine.emptyUrl() } });
    for (let run = 0; run < 2; run++) {
      const { code, of } = await doctor(config);
      const [finding] = engine.name === 'sqlite' ? of('database') : of('migrations');
      expect(finding).toMatchObject({
        status: 'warning',
        fix: expect.stringContaining('gatehouse migrate'),
      });
      expect(code).toBe(0);
    }
  });
});

test('when dependencies are unreachable, then each has a failed line with its fix, and no secret is shown', async () => {
  const port = await freePort();
  const folder = tempDir('doctor-zones');
  const url = `sqlite:${join(folder, 'gatehouse.db')}`;
  const db = await migratedAt(url);
  const zone = { name: 'z', address: '127.0.0.1', port, gm_url: `http://127.0.0.1:${port}/` };
  await db.kysely
    .insertInto('server')
    .values([
      { server_id: 1, ...zone, status: 'open' },
      { server_id: 2, ...zone, status: 'maintenance', gm_url: null },
      { server_id: 3, ...zone, status: 'closed' },
    ])
    .execute();
  const config = settingsFile({
    database: { url },
    redis: { url: `redis://:geheim@127.0.0.1:${port}` },
    mail: { url: `smtp://user:geheim@127.0.0.1:${port}` },
    zones: { database_url: `mysql://user:geheim@127.0.0.1:${port}` },
    site: { agreement: join(folder, 'nowhere.html') },
    log: { file: join(folder, 'gatehouse.db', 'log', 'service.log') },
  });
  const { of } = await doctor(config);
  for (const check of [
    'redis',
    'mail',
    'agreement',
    'zone 1 game port',
    'zone 1 GM interface',
    'zones 1-2 game database',
  ])
    expect(of(check), check).toMatchObject([{ status: 'failed' }]);
  expect(of('folder')).toContainEqual(
    expect.objectContaining({ status: 'failed', detail: expect.stringContaining('is not a folder') }),
  );
  expect(of('zone 2 game port')).toMatchObject([{ status: 'warning' }]);
  expect(of('zone 2 GM interface')).toMatchObject([{ status: 'warning' }]);
  expect(of('zone 3 game port')).toEqual([]);

  const { stdout } = await runCommand(['doctor'], { config });
  expect(stdout).toContain('\nfix: redis: start Redis, or correct redis.url\n');
  for (const secret of ['geheim', STRONG, KEY]) expect(stdout).not.toContain(secret);
});

test('when the database is unreachable, then that is one failed line and the rest is still checked', async () => {
  const { code, of } = await doctor(
    settingsFile({ database: { url: `mysql://user:geheim@127.0.0.1:${await freePort()}/name` } }),
  );
  expect(code).toBe(1);
  expect(of('database')).toMatchObject([{ status: 'failed' }]);
  expect(of('database')[0]?.detail).not.toContain('geheim');
  expect(of('agreement')).toMatchObject([{ status: 'ok' }]);
});

test('when user, password or name of the database are wrong, then the fix says which, not to start it', async () => {
  const server = new URL(sharedMariadbUrl());
  const at = (change: (url: URL) => void) => {
    const url = new URL(`${server}/nowhere`);
    change(url);
    return `mysql://${url.username}:${url.password}@${url.host}/nowhere`;
  };
  const remedy = async (url: string) =>
    (await doctor(settingsFile({ database: { url } }), '--only', 'database')).of('database')[0]?.fix;
  expect(
    await remedy(
      at((url) => {
        url.password = 'wrong';
      }),
    ),
  ).toContain('correct the user and password');
  expect(await remedy(at(() => {}))).toContain('CREATE DATABASE');
});

test('when the service is stopped, not ready, or another service answers, then that fails', async () => {
  const service = async (port: number) =>
    (await doctor(settingsFile({ port }), '--only', 'service')).of('service')[0];
  expect(await service(await freePort())).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('nothing answers at http://127.0.0.1:'),
  });
  const stranger = createHttpServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  expect((await service(port))?.detail).toContain('something else');
  const app = await startTestApp(freshSqlite());
  const own = Number(new URL(app.url).port);
  expect(await service(own)).toMatchObject({ status: 'ok' });
  await app.db.kysely.schema.alterTable('player').renameTo('away').execute();
  expect(await service(own)).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('not ready'),
  });
});

test('when withdrawals are unknown and 50 zones fail alike, then the doctor warns in one line each', async () => {
  const url = freshSqlite();
  const db = await migratedAt(url);
  const port = await freePort();
  const zone = { name: 'z', address: '127.0.0.1', port, gm_url: null };
  await db.kysely
    .insertInto('server')
    .values(Array.from({ length: 50 }, (_, index) => ({ ...zone, server_id: index + 1 })))
    .execute();
  const withdrawal = { player_id: 1, server_id: 1, role_id: 1, role_name: 'r', amount: 5, state: 'unknown' };
  await db.kysely
    .insertInto('withdraw')
    .values({ id: 'w1', ...withdrawal, updated_at: Date.parse('2026-01-02T03:04:05Z') })
    .execute();
  const game_servers = { key: 'one key for all of them' };
  const file = settingsFile({ database: { url }, game_servers });
  const { of, all } = await doctor(file, '--only', 'zones,withdrawals');
  expect(of('withdrawals')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('1 with an unknown outcome is waiting') },
  ]);
  expect(of('zones 1-50 game port')).toMatchObject([
    { status: 'failed', fix: expect.stringContaining('gatehouse zone set ID --address') },
  ]);
  expect(of('zones 1-50 GM interface')).toMatchObject([{ status: 'warning' }]);
  expect(of('zone keys')).toMatchObject([
    { status: 'warning', fix: expect.stringContaining('gatehouse zone key add') },
  ]);
  expect(all).toHaveLength(5);
});

test('when a zone is known by a name, then its game server is reported as a stranger unless the settings name its address', async () => {
  const addresses: Record<string, string[]> = {
    'one.example.com': ['192.0.2.1'],
    'two.example.com': ['2001:db8::2', '192.0.2.2'],
    localhost: ['127.0.0.1'],
  };
  const resolveHost = async (name: string) => addresses[name] ?? [];
  const callers = (ip: string[]) => {
    const zones = [...Object.keys(addresses), 'gone.example.com', '192.0.2.9'].map((address) => ({
      address,
    }));
    return examineCallers(
      zones,
      parseSettings({ auth: { password_key: KEY, jwt_secret: STRONG }, game_servers: { ip } }),
      { resolveHost },
    );
  };
  expect(await callers(['192.0.2.0/31'])).toMatchObject([
    {
      check: 'game_servers.ip',
      status: 'warning',
      detail: expect.stringMatching(/^lacks two\.example\.com \(2001:db8::2, 192\.0\.2\.2\): /),
    },
  ]);
  expect(await callers(['192.0.2.1', '2001:db8::/32'])).toEqual([]);
});

test('when the game server has another key or no receipts, then the GM interface fails', async () => {
  const url = freshSqlite();
  const db = await migratedAt(url);
  const game = createHttpServer((_, answer) => answer.end('{"result":7,"msg":"bad sign"}')).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void game.close());
  await once(game, 'listening');
  const { port } = game.address() as AddressInfo;
  const zone = { server_id: 1, name: 'z', address: '127.0.0.1', port, gm_url: `http://127.0.0.1:${port}/gm` };
  await db.kysely.insertInto('server').values(zone).execute();
  const gm = { key: 'k'.repeat(20), receipt_operation: 10031 };
  const { of } = await doctor(settingsFile({ database: { url }, gm }), '--only', 'zones');
  expect(of('zone 1 GM interface')).toMatchObject([
    { status: 'failed', fix: expect.stringContaining('correct gm.key, gm.receipt_operation') },
  ]);
});

test('when a finding is acknowledged with a reason, then it counts as in order, and an unneeded acknowledgement is named', async () => {
  const settings = (acknowledged: string[]) => ({ public_url: 'http://192.0.2.1', doctor: { acknowledged } });
  const { of } = await doctor(
    settingsFile(settings(['chat.from: our bot reports chat', 'redis: we have none'])),
    ...['--only', 'settings'],
  );
  expect(of('chat.from')).toMatchObject([
    { status: 'ok', detail: expect.stringMatching(/^acknowledged \(our bot reports chat\): anyone may/) },
  ]);
  const whole = await doctor(settingsFile(settings(['redis: we have none'])));
  expect(whole.of('doctor.acknowledged')).toMatchObject([{ status: 'warning' }]);
  const { code, stdout } = await runCommand(['doctor'], { config: settingsFile(settings(['chat.from'])) });
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('a check and a reason'),
  });
});

test.each([
  ['easy to guess', { password_key: KEY, jwt_secret: 'ab'.repeat(20) }],
  ['is the password key', { password_key: STRONG, jwt_secret: STRONG }],
])('when the token secret %s, then that is a failure', async (detail, auth) => {
  const { of } = await doctor(settingsFile({ auth }), '--only', 'settings');
  expect(of('auth.jwt_secret')).toMatchObject([
    { status: 'failed', detail: expect.stringContaining(detail) },
  ]);
});

test('when settings are wrong, then every problem has its line', async () => {
  const file = settingsFile({});
  writeFileSync(file, `prot = 1\nday_max_reg = -1\n${readFileSync(file, 'utf8')}`);
  const { code, of } = await doctor(file);
  expect(code).toBe(1);
  expect(of('prot')).toMatchObject([
    { status: 'failed', detail: expect.stringContaining('did you mean port?') },
  ]);
  expect(of('day_max_reg')).toMatchObject([{ status: 'failed' }]);
  expect(of('node')).toMatchObject([{ status: 'ok' }]);
  expect(existsSync(join(file, '../gatehouse.db'))).toBe(false);
});
