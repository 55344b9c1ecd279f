import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'smol-toml';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { startMariadb } from '../../test-support/mariadb.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { examineCallers } from '../src/features/doctor/admin/callers.ts';
import { judgeSkew } from '../src/features/doctor/admin/database.ts';
import { nodeVersion } from '../src/features/doctor/admin/machine.ts';
import { examinePublicUrl } from '../src/features/doctor/admin/public-url.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { startTestApp } from './support/test-app.ts';

type Table = Record<string, unknown>;
interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly fix?: string;
}

const STRONG = 'Zk3-qP9.vW1_xR7!mT5?hN2+bL8=cJ4/dG6';
const KEY = 'the-old-generation-key';

function settingsFile(settings: Table): string {
  const folder = tempDir('doctor');
  const file = join(folder, 'gatehouse.toml');
  const defaults = {
    // Nobody listens, and that is not what these tests are about.
    port: 0,
    database: { url: `sqlite:${join(folder, 'gatehouse.db')}` },
    mail: { url: `outbox:${join(folder, 'outbox')}` },
    auth: { password_key: KEY, jwt_secret: STRONG },
  };
  writeFileSync(file, stringify({ ...defaults, ...settings }), { mode: 0o600 });
  return file;
}

async function doctor(
  config: string,
  ...args: string[]
): Promise<{ code: number; all: Finding[]; of: (check: string) => Finding[] }> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], { config });
  expect(stderr).toBe('');
  const findings = JSON.parse(stdout) as Finding[];
  for (const { status, fix } of findings) expect(status === 'ok').toBe(fix === undefined);
  expect(code).toBe(findings.some(({ status }) => status === 'failed') ? 1 : 0);
  return { code, all: findings, of: (check) => findings.filter((finding) => finding.check === check) };
}

/** A port that accepts and says nothing. */
async function listening(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describeOnEngines('doctor', (engine) => {
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
      redis: { url: inject('redisUrl') },
      zones: { database_url: `sqlite:${games}` },
    });
    const { code, stdout } = await runCommand(['doctor'], { config });
    expect(stdout).toMatch(/^ok +database +\S+ ?\S*, answers in [\d.]+ ms$/m);
    expect(stdout).toMatch(/^ok +migrations +all applied$/m);
    expect(stdout).toMatch(/^ok +redis +answers$/m);
    expect(stdout).toMatch(/^ok +mail +the mail server lets us in$/m);
    expect(stdout).toMatch(/^ok +zone 1 game port /m);
    expect(stdout).toMatch(/^ok +zone 1 GM interface /m);
    expect(stdout).toMatch(/^ok +zone 1 game database +actors can be read$/m);
    expect(stdout).toMatch(/^\d+ ok, \d warnings, 0 failed$/m);
    expect(code).toBe(0);
  });

  test('when the tables are not made yet, then it says how, and makes none', async () => {
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

test('when anyone may report chat at a public address, then it warns, and not at home or where only games may', async () => {
  const chatFrom = async (settings: Table) =>
    (await doctor(settingsFile(settings))).of('chat.from')[0]?.status;
  expect(await chatFrom({ public_url: 'http://127.0.0.2' })).toBe('ok');
  expect(await chatFrom({ public_url: 'http://192.0.2.1' })).toBe('warning');
  expect(await chatFrom({ public_url: 'http://192.0.2.1', chat: { from: 'game_servers' } })).toBe('ok');
});

describe('what public_url leads to', () => {
  const auth = { password_key: KEY, jwt_secret: STRONG };
  const settings = (more: Table = {}) => parseSettings({ auth, public_url: 'http://192.0.2.1', ...more });

  /** As if a proxy passed the request on to the service on the same machine, with these headers. */
  async function proxied(headers: Record<string, string>, more: Table = {}) {
    const app = await startTestApp(`sqlite:${tempDir('doctor')}/gatehouse.db`, more);
    const askPublicly = async (_publicUrl: string, path: string) => {
      const { status, headers: answered } = await fetch(app.url + path, { headers });
      return { status, isOurs: answered.has('x-request-id') };
    };
    return examinePublicUrl(settings(), { askPublicly });
  }

  test('when a proxy hides that a request came from outside, then it warns that loopback’s privileges are open', async () => {
    const finding = await proxied({});
    expect(finding).toMatchObject({ status: 'warning', fix: expect.stringContaining('trust_proxy') });
    expect(finding.detail).toContain('privileges of loopback');
  });

  test('when the proxy says so, trusted or not, then all is well', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' };
    expect((await proxied(from)).status).toBe('ok');
    expect((await proxied(from, { trust_proxy: [] })).status).toBe('ok');
  });

  test('when nobody or somebody else answers there, then it warns; when it leads to this machine, then there is nothing to see', async () => {
    const askPublicly = async () => ({ status: 200, isOurs: false });
    expect((await examinePublicUrl(settings(), { askPublicly })).detail).toContain('not by this service');
    const unreachable = async () => Promise.reject(new Error('connection refused'));
    expect(await examinePublicUrl(settings(), { askPublicly: unreachable })).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('connection refused'),
    });
    const local = settings({ public_url: 'http://127.0.0.1:3001' });
    expect((await examinePublicUrl(local, { askPublicly: unreachable })).status).toBe('ok');
  });
});

test('when things are unreachable, then each has a failed line with its fix, and no secret is shown', async () => {
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
    expect.objectContaining({ status: 'failed', detail: expect.stringContaining('is no folder') }),
  );
  expect(of('zone 2 game port')).toMatchObject([{ status: 'warning' }]);
  expect(of('zone 2 GM interface')).toMatchObject([{ status: 'warning' }]);
  expect(of('zone 3 game port')).toEqual([]);

  const { stdout } = await runCommand(['doctor'], { config });
  expect(stdout).toContain('\nfix: redis: start Redis, or correct redis.url\n');
  for (const secret of ['geheim', STRONG, KEY]) expect(stdout).not.toContain(secret);
});

test('when the database is away, then that is one failed line and the rest is still checked', async () => {
  const { code, of } = await doctor(
    settingsFile({ database: { url: `mysql://user:geheim@127.0.0.1:${await freePort()}/name` } }),
  );
  expect(code).toBe(1);
  expect(of('database')).toMatchObject([{ status: 'failed' }]);
  expect(of('database')[0]?.detail).not.toContain('geheim');
  expect(of('agreement')).toMatchObject([{ status: 'ok' }]);
});

test('when user, password or name of the database are wrong, then the cure says which, not to start it', async () => {
  const server = new URL(inject('mariadbUrl'));
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
  ).toContain('correct user and password');
  expect(await remedy(at(() => {}))).toContain('CREATE DATABASE');
});

test('when the service is stopped, somebody else answers, or it is not ready, then that fails', async () => {
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
  const app = await startTestApp(`sqlite:${tempDir('doctor')}/gatehouse.db`);
  const own = Number(new URL(app.url).port);
  expect(await service(own)).toMatchObject({ status: 'ok' });
  await app.db.kysely.schema.alterTable('player').renameTo('away').execute();
  expect(await service(own)).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('not ready'),
  });
});

test('when withdrawals are unknown and 50 zones fail alike, then it warns, and says it in a line', async () => {
  const url = `sqlite:${join(tempDir('doctor-zones'), 'gatehouse.db')}`;
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
  const { of, all } = await doctor(settingsFile({ database: { url } }), '--only', 'zones,withdrawals');
  expect(of('withdrawals')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('1 of unknown outcome waits') },
  ]);
  expect(of('zones 1-50 game port')).toMatchObject([
    { status: 'failed', fix: expect.stringContaining('gatehouse zone set ID --address') },
  ]);
  expect(of('zones 1-50 GM interface')).toMatchObject([{ status: 'warning' }]);
  expect(all).toHaveLength(4);
});

test('when a zone is known by a name, then its game server is told to be a stranger unless the settings name its address', async () => {
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
      detail: expect.stringMatching(/^does not have two\.example\.com \(2001:db8::2, 192\.0\.2\.2\): /),
    },
  ]);
  expect(await callers(['192.0.2.1', '2001:db8::/32'])).toEqual([]);
});

test('when the game server takes another key or knows no receipts, then the GM interface fails', async () => {
  const url = `sqlite:${join(tempDir('doctor-gm'), 'gatehouse.db')}`;
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

test('when a finding is acknowledged with a reason, then it counts as in order, and an idle one is named', async () => {
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
])('when the secret of the tokens %s, then that is a failure', async (detail, auth) => {
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

describe('warnings', () => {
  test.each<[string, Table, string, string]>([
    ['https without a trusted proxy', { public_url: 'https://play.example.com' }, 'trust_proxy', 'is empty'],
    [
      'a deny list over the proxy',
      { trust_proxy: ['10.0.0.0/24'], deny_ip: ['10.0.0.7-10.0.1.9'] },
      'deny_ip',
      'covers the trusted proxy 10.0.0.0/24',
    ],
    ['everybody trusted', { trust_proxy: ['0.0.0.0/0'] }, 'trust_proxy', 'trusts everybody'],
    ['no encryption', { public_url: 'http://play.example.com' }, 'public_url', 'not encrypted'],
    ['an outbox in production', { public_url: 'https://play.example.com' }, 'mail', 'players get no codes'],
    [
      'a short password key',
      { auth: { password_key: 'short', jwt_secret: STRONG } },
      'auth.password_key',
      'fewer than 16',
    ],
    ['a short signature key', { game_servers: { key: 'k' } }, 'game_servers.key', 'fewer than 16'],
  ])(
    'when there is %s, then it warns and still leaves exit status 0',
    async (_name, settings, check, detail) => {
      const { code, of } = await doctor(settingsFile(settings));
      expect(code).toBe(0);
      expect(of(check)).toContainEqual(
        expect.objectContaining({ status: 'warning', detail: expect.stringContaining(detail) }),
      );
    },
  );

  test('when registration is closed, then it is mentioned', async () => {
    const { of } = await doctor(settingsFile({ day_max_reg: 0 }));
    expect(of('day_max_reg')).toMatchObject([{ status: 'ok', detail: '0: registration is closed' }]);
  });

  test('when MariaDB is set up carelessly, then each careless setting is named', async () => {
    const mariadb = await startMariadb({
      args: ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=8M', '--sql-mode='],
    });
    onTestFinished(() => mariadb.kill());
    await mariadb.execute('CREATE DATABASE careless CHARACTER SET latin1');
    const url = `${mariadb.url}/careless`;
    await migratedAt(url);
    await mariadb.execute(
      `CREATE TABLE careless.big ENGINE=InnoDB AS SELECT seq, REPEAT('x', 200) AS filler FROM careless.seq_1_to_60000;
       ANALYZE TABLE careless.big`,
    );
    const { code, of } = await doctor(settingsFile({ database: { url } }));
    expect(code).toBe(0);
    for (const check of ['durability', 'buffer pool', 'sql_mode', 'character set'])
      expect(of(check), check).toMatchObject([{ status: 'warning' }]);
    expect(of('clock')).toMatchObject([{ status: 'ok' }]);
  });

  test('when clocks differ or Node is old, then it warns', () => {
    expect(judgeSkew(-5000)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('5.0 s behind'),
    });
    expect(judgeSkew(300)).toMatchObject({ status: 'ok' });
    expect(nodeVersion('24.12.0').status).toBe('warning');
    expect(nodeVersion('26.0.0').status).toBe('ok');
  });
});
