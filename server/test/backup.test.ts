import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startZone } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines, type Engine } from '../../test-support/engines.ts';
import { requireExecutable } from '../../test-support/executables.ts';
import { type Gatehouse, runCli, startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn, waitForOutboxMail } from '../../test-support/mail.ts';
import { tempDir } from '../../test-support/process.ts';
import { openDatabase } from '../src/db/open.ts';
import { clientFrom } from './support/client.ts';
import { PASSWORD } from './support/test-app.ts';

const run = promisify(execFile);

/** Backs up and restores with the engine's own tools, as an operator does. */
interface BackupTool {
  backup(): Promise<void>;
  destroy(): Promise<void>;
  restore(): Promise<void>;
}

function sqliteTool(service: Gatehouse, url: string): BackupTool {
  const [file, copy] = [url.slice('sqlite:'.length), join(tempDir('backup'), 'gatehouse.db')];
  return {
    async backup() {
      rmSync(copy, { force: true });
      const { code, stdout, stderr } = await runCli(['backup', copy], { config: service.settingsFile });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/4 accounts, \d+ bytes, checked/);
      expect(statSync(copy).mode & 0o777).toBe(0o600);
    },
    async destroy() {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    },
    restore: () => copyFile(copy, file),
  };
}

function mariadbTool(url: string): BackupTool {
  const { hostname, port, username, password, pathname } = new URL(url);
  const name = pathname.slice(1);
  const dump = join(tempDir('backup'), 'gatehouse.sql');
  const server = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`];
  const env = { ...process.env, MYSQL_PWD: password };
  const statement = (sql: string, ...more: string[]) =>
    run(requireExecutable('mariadb'), [...server, `--execute=${sql}`, ...more], { env });
  return {
    async backup() {
      const args = [...server, '--single-transaction', `--result-file=${dump}`, name];
      await run(requireExecutable('mariadb-dump'), args, { env });
    },
    destroy: async () => void (await statement(`DROP DATABASE \`${name}\``)),
    async restore() {
      await statement(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
      await statement(`source ${dump}`, name);
    },
  };
}

const accounts = ['alice', 'bobby', 'carol', 'david'];

async function startBackupApp(engine: Engine) {
  const url = await engine.freshUrl();
  const zones = `sqlite:${tempDir('zones')}`;
  const zone = await startZone({ serverId: 1, database: zones, receipts: true });
  onTestFinished(zone.stop);
  const service = await startGatehouse({
    settings: {
      database: { url },
      trust_proxy: ['127.0.0.1'],
      zones: { database_url: zones, save_interval: 0 },
      code_throttle: { address: { limit: 100, window: 60 } },
      withdraw: { requests_per_minute: 100_000 },
      // The zone is in this process, which a busy machine may suspend for seconds.
      gm: { timeout: 60 },
    },
  });
  onTestFinished(() => service.kill());
  await runCli(
    ['zone', 'add', '1', '--name', 'One', '--address', '127.0.0.1', '--port', '7001', '--gm-url', zone.gmUrl],
    { config: service.settingsFile },
  );
  const client = clientFrom(service.url, '127.0.0.1');
  await expect.poll(async () => (await client.get('/api/server/list')).body.servers).toHaveLength(1);

  async function register(account: string): Promise<string> {
    const email = `${account}@example.com`;
    await client.post('/api/send_code', { email });
    const code = codeIn(await waitForOutboxMail(service.outbox, email));
    const { body } = await client.post('/api/register', { account, password: PASSWORD, email, code });
    await client.post('/api/bind_account', { account, connect_id: `forum-${account}` });
    await zone.addRole({ account, name: `Hero of ${account}`, balance: 100_000 });
    return body.token;
  }

  const withdraw = (token: string, account: string, amount: number, key: string) =>
    client.post(
      '/api/game/withdraw',
      { server_id: 1, role: `Hero of ${account}`, amount },
      { token, headers: { 'idempotency-key': key } },
    );

  async function readState() {
    const db = await openDatabase(url);
    const { kysely } = db;
    try {
      return {
        players: await kysely.selectFrom('player').selectAll().orderBy('id').execute(),
        bindings: await kysely.selectFrom('player_connect_threeparty').selectAll().orderBy('id').execute(),
        withdrawals: await kysely.selectFrom('withdraw').selectAll().orderBy('id').execute(),
        events: await kysely.selectFrom('withdraw_event').selectAll().execute(),
        // One statement, so that all rows are from one moment: recovery may be running.
        transitions: await kysely
          .selectFrom('withdraw')
          .innerJoin('withdraw_event', 'withdraw_event.withdraw_id', 'withdraw.id')
          .select(['withdraw.id', 'withdraw.state', 'withdraw_event.to_state'])
          .orderBy('withdraw_event.seq')
          .execute(),
      };
    } finally {
      await db.close();
    }
  }

  const tool = engine.name === 'sqlite' ? sqliteTool(service, url) : mariadbTool(url);
  return { url, zone, service, client, register, withdraw, readState, tool };
}

describeOnEngines('a backup', (engine) => {
  test('when the database is lost and its backup restored, then every account, binding and withdrawal is back', {
    timeout: 120_000,
  }, async () => {
    const { zone, service, client, register, withdraw, readState, tool } = await startBackupApp(engine);
    const tokens = new Map<string, string>();
    for (const account of accounts) tokens.set(account, await register(account));
    const token = tokens.get('alice') ?? '';
    const done = await withdraw(token, 'alice', 700, 'the-first');
    expect(done).toMatchObject({ status: 200, body: { state: 'done' } });
    expect((await withdraw(token, 'alice', 99_999, 'too-much')).body.code).toBe('insufficient_balance');
    const before = await readState();

    // The service keeps writing during the copy.
    let writing = true;
    let written = 0;
    const writer = (async () => {
      const other = tokens.get('david') ?? '';
      for (; writing; written += 1)
        expect((await withdraw(other, 'david', 1, `more-${written}`)).status).toBe(200);
    })();
    await expect.poll(() => written).toBeGreaterThan(3);
    let writtenBefore = 0;
    do {
      writtenBefore = written;
      await tool.backup();
      // A copy without concurrent writes proves nothing: make another.
    } while (written === writtenBefore);
    writing = false;
    await writer;

    await service.kill();
    await tool.destroy();
    await tool.restore();
    await service.restart();

    const after = await readState();
    expect(after.players.map(withoutLastSeen)).toEqual(before.players.map(withoutLastSeen));
    expect(after.bindings).toEqual(before.bindings);
    expect(after.withdrawals).toEqual(expect.arrayContaining(before.withdrawals));
    expect(after.events).toEqual(expect.arrayContaining(before.events));
    const later = after.withdrawals.length - before.withdrawals.length;
    expect(later).toBeGreaterThanOrEqual(writtenBefore);
    // A consistent snapshot: every withdrawal has its first and its last event.
    for (const { id } of after.withdrawals) {
      const own = after.transitions.filter((transition) => transition.id === id);
      expect(own[0]?.to_state).toBe('accepted');
      expect(own.at(-1)?.to_state).toBe(own[0]?.state);
    }

    for (const account of accounts) {
      expect((await client.post('/api/login', { account, password: PASSWORD })).status).toBe(200);
      const mine = await client.get('/api/bind', { token: tokens.get(account) ?? '' });
      expect(mine.body.bindings).toMatchObject([{ connect_id: `forum-${account}` }]);
    }
    const again = await withdraw(token, 'alice', 700, 'the-first');
    expect(again.body).toMatchObject({ withdraw_id: done.body.withdraw_id, state: 'done' });
    expect(zone.deductions(done.body.withdraw_id)).toHaveLength(1);
  });
});

interface LastSeen {
  readonly last_login_at: unknown;
  readonly last_login_ip: unknown;
  readonly withdrawal_told_at: unknown;
}

/** Drops columns that entering and withdrawing may change. */
function withoutLastSeen<R extends LastSeen>(row: R) {
  const { last_login_at: _at, last_login_ip: _ip, withdrawal_told_at: _told, ...kept } = row;
  return kept;
}

/** Writes a settings file for commands that need no service. */
function settingsWith(databaseUrl: string): string {
  const file = join(tempDir('backup'), 'gatehouse.toml');
  const auth = `[auth]\npassword_key = "an-old-key"\njwt_secret = "${'s'.repeat(40)}"\n`;
  writeFileSync(file, `${auth}[database]\nurl = "${databaseUrl}"\n`);
  return file;
}

test('when no service runs, then its SQLite database can still be backed up', async () => {
  const folder = tempDir('backup');
  const config = settingsWith(`sqlite:${folder}/gatehouse.db`);
  await runCli(['migrate'], { config });
  const { code, stdout } = await runCli(['backup', join(folder, 'copy.db')], { config });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 accounts') });
});

test('when a backup would overwrite something, then it is refused and nothing is changed', async () => {
  const folder = tempDir('backup');
  const config = settingsWith(`sqlite:${folder}/gatehouse.db`);
  await runCli(['migrate'], { config });
  const precious = join(folder, 'precious.db');
  writeFileSync(precious, 'last week');
  const { code, stderr } = await runCli(['backup', precious], { config });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('already exists') });
  expect(readFileSync(precious, 'utf8')).toBe('last week');
});

test('when the database is MariaDB, then the error names the command to use, without the password', async () => {
  const config = settingsWith('mysql://backup:geheim@db.example.com:3307/gate');
  const { code, stderr } = await runCli(['backup', 'copy.sql'], { config });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'mariadb-dump --single-transaction --host=db.example.com --port=3307 --user=backup',
  );
  expect(stderr).not.toContain('geheim');
});
