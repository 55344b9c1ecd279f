import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startZone } from '@gatehouse/simulators/zone';
import { stringify } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines, type Engine } from '../../test-support/engines.ts';
import { requireExecutable } from '../../test-support/executables.ts';
import { runCli, type SettingsTable, startGatehouse } from '../../test-support/gatehouse.ts';
import { createDatabase, executeAt, startMariadb } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { openDatabase } from '../src/db/open.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { migratedAt } from './db/opened.ts';
import { judge } from './money/judge.ts';
import { historyOf, settledRecordsOf } from './money/records.ts';
import { configOf } from './support/cli-config.ts';
import { clientFrom } from './support/client.ts';
import {
  type Journal,
  loadSettings,
  type Mark,
  markOf,
  startLoadedService,
} from './support/load-with-journal.ts';

const run = promisify(execFile);

/** A backup that can be restored into a new place; returns its URL. */
interface Backup {
  restore(): Promise<string>;
}

/** Backs up with the documented command of the engine. */
async function backUp(url: string, config: string): Promise<Backup> {
  if (url.startsWith('sqlite:')) {
    const file = join(tempDir('backup'), 'copy.db');
    const { code, stderr } = await runCli(['backup', file], { config });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return {
      async restore() {
        const target = join(tempDir('restored'), 'gatehouse.db');
        await copyFile(file, target);
        return `sqlite:${target}`;
      },
    };
  }
  const { server, env, name } = mariadbArguments(url);
  const dump = join(tempDir('backup'), 'gatehouse.sql');
  const args = [...server, '--single-transaction', '--routines', `--result-file=${dump}`, name];
  await run(requireExecutable('mariadb-dump'), args, { env });
  return {
    async restore() {
      const target = await createDatabase(url.slice(0, url.lastIndexOf('/')));
      const into = [...server, `--execute=source ${dump}`, mariadbArguments(target).name];
      await run(requireExecutable('mariadb'), into, { env });
      return target;
    },
  };
}

function mariadbArguments(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    server: [`--host=${hostname}`, `--port=${port}`, `--user=${username}`],
    env: { ...process.env, MYSQL_PWD: password },
    name: pathname.slice(1),
  };
}

const isEnough = ({ players, done }: Journal) => players.length >= 20 && done.length >= 40;

/** Checks a restored database before a service has changed it: everything acknowledged exists, and nothing is incomplete. */
async function expectWhole(url: string, mark: Mark): Promise<void> {
  const db = await openDatabase(url);
  try {
    const players = await db.kysely.selectFrom('player').select(['account', 'password_hash']).execute();
    const hashes = new Map(players.map(({ account, password_hash }) => [account, password_hash]));
    const { hash } = createPasswords('old-generation-key');
    const wrong = mark.players.filter(
      (account) => !mark.passwordsOf(account).some((password) => hash(password) === hashes.get(account)),
    );
    expect({ lostOrWithOldPassword: wrong }).toEqual({ lostOrWithOldPassword: [] });
    // A registration counts in the transaction that makes the player.
    const counters = await db.kysely
      .selectFrom('day_counter')
      .select('n')
      .where('name', '=', 'registrations')
      .execute();
    expect(counters.reduce((sum, { n }) => sum + n, 0)).toBe(players.length);

    const records = await db.kysely.selectFrom('withdraw').selectAll().execute();
    const states = new Map(records.map(({ id, state }) => [id, state]));
    expect(mark.done.filter((id) => states.get(id) !== 'done')).toEqual([]);
    const history = await historyOf(db);
    const firsts = new Set(
      history.events.filter(({ from_state }) => from_state === null).map((each) => each.withdraw_id),
    );
    expect(firsts).toEqual(new Set(states.keys()));
    // A withdrawal counts for its day in the transaction that accepts it, until it took nothing.
    const counted = records.filter(({ state }) => state !== 'refused' && state !== 'failed');
    expect(history.dayTotal).toBe(counted.reduce((sum, { amount }) => sum + amount, 0));
  } finally {
    await db.close();
  }
}

const restoredCommand = async (config: string) => {
  const { code, stdout, stderr } = await runCli(
    ['withdraw', 'restored', '--reason', 'the disk was lost', '--json'],
    { config },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { marked: string[]; compare_from: string };
};

describeOnEngines('a backup under load', (engine) => {
  test('when it is restored elsewhere, then it has everything acknowledged before it, nothing is incomplete, and what it misses is later than the command says', {
    timeout: 240_000,
  }, async () => {
    const url = await engine.freshUrl();
    const { service, zone, journal, until, stopWriting } = await startLoadedService(url);
    await until(isEnough);
    const backups: { backup: Backup; mark: Mark }[] = [];
    for (let duringCopy = 0; backups.length < 3 || duringCopy === 0; ) {
      const mark = markOf(journal);
      const backup = await backUp(url, service.settingsFile);
      duringCopy = journal.done.length - mark.done.length;
      backups.push({ backup, mark });
    }
    // These withdrawals are in no backup.
    const before = journal.done.length;
    await until(({ done }) => done.length > before + 10);
    await stopWriting();
    await service.kill();

    let restored = '';
    for (const { backup, mark } of backups) {
      restored = await backup.restore();
      await expectWhole(restored, mark);
    }

    const { mark } = backups.at(-1) as { mark: Mark };
    const settings = { ...service.settings, database: { url: restored } };
    const { compare_from } = await restoredCommand(settingsFile(settings));
    const taken = zone.deductions();
    const again = await startGatehouse({ settings: withoutPort(settings) });
    onTestFinished(() => again.kill());
    const db = await openDatabase(restored);
    onTestFinished(() => db.close());
    const records = await settledRecordsOf(db);
    const ids = new Set(records.map(({ id }) => id));
    const known = zone.journal().filter(({ order }) => ids.has(order));
    const balances = zone.roles().map(({ balance }) => balance);
    const violations = judge({
      records,
      journal: known,
      replies: [],
      accepted: new Set(mark.done),
      balances,
      history: await historyOf(db),
    });
    expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
    expect(zone.deductions()).toHaveLength(taken.length);
    const unknowable = taken.filter(({ order }) => !ids.has(order));
    expect(unknowable.length).toBeGreaterThan(0);
    expect(unknowable.filter(({ at }) => at < Date.parse(compare_from))).toEqual([]);

    const [account = ''] = mark.players.filter((each) => mark.passwordsOf(each).length === 1);
    const [password] = mark.passwordsOf(account);
    const login = await clientFrom(again.url, '10.9.0.1').post('/api/login', { account, password });
    expect(login.status).toBe(200);
    console.log(
      `${engine.name}: ${backups.length} backups, ${journal.players.length} players, ${records.length} withdrawals restored, ${unknowable.length} later ones`,
    );
  });

  test('when a withdrawal was accepted at the time of the backup and executed later, then it is not executed again', {
    timeout: 120_000,
  }, async () => {
    const { backup, settings, zone, id } = await acceptedInBackup(engine);
    expect(zone.deductions(id)).toHaveLength(1);

    const url = await backup.restore();
    const restored = { ...settings, database: { url } };
    const { marked } = await restoredCommand(settingsFile(restored));
    expect(marked).toEqual([id]);
    await startAndSettle(restored);
    expect(zone.deductions(id)).toHaveLength(1);

    // Without the command it would be.
    await startAndSettle({ ...settings, database: { url: await backup.restore() } });
    expect(zone.deductions(id)).toHaveLength(2);
  });
});

const withoutPort = ({ port: _port, public_url: _url, ...settings }: SettingsTable) => settings;

function settingsFile(settings: SettingsTable): string {
  const file = join(tempDir('restored'), 'gatehouse.toml');
  writeFileSync(file, stringify(settings));
  return file;
}

/** Makes a backup that has an accepted withdrawal, which is then executed. */
async function acceptedInBackup(engine: Engine) {
  const zones = `sqlite:${tempDir('zones')}`;
  const zone = await startZone({ serverId: 1, database: zones, receipts: true });
  onTestFinished(zone.stop);
  const url = await engine.freshUrl();
  const db = await migratedAt(url);
  const password_hash = createPasswords('old-generation-key').hash('a password of hers');
  await db.kysely.insertInto('player').values({ account: 'alice', password_hash }).execute();
  await zone.addRole({ account: 'alice', name: 'Hero', balance: 1000 });
  await db.kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 7001, gm_url: zone.gmUrl })
    .execute();

  const settings = loadSettings(url, zones);
  const entry = join(import.meta.dirname, 'money/service.ts');
  const dying = await startGatehouse({ settings, entry, args: ['--die-at', 'checked'] });
  onTestFinished(() => dying.kill());
  const client = clientFrom(dying.url, '10.0.0.1');
  const { body } = await client.post('/api/login', { account: 'alice', password: 'a password of hers' });
  const request = client.post(
    '/api/game/withdraw',
    { server_id: 1, role: 'Hero', amount: 100 },
    { token: body.token, headers: { 'idempotency-key': 'only-once' } },
  );
  await expect(request).rejects.toThrow();
  const { id, state } = await db.kysely
    .selectFrom('withdraw')
    .select(['id', 'state'])
    .executeTakeFirstOrThrow();
  expect(state).toBe('accepted');
  const backup = await backUp(url, configOf(url));
  await startAndSettle(settings);
  return { backup, settings, zone, id };
}

/** Starts a service, as long after the backup as a restore takes, and waits until nothing is open. */
async function startAndSettle(settings: SettingsTable): Promise<void> {
  const db = await openDatabase((settings.database as { url: string }).url);
  await db.kysely
    .updateTable('withdraw')
    .set(({ eb }) => ({ updated_at: eb('updated_at', '-', 60_000) }))
    .execute();
  const service = await startGatehouse({ settings });
  try {
    const records = await settledRecordsOf(db);
    expect(records.map(({ state }) => state)).toEqual(['done']);
  } finally {
    await service.kill();
    await db.close();
  }
}

test('when MariaDB is restored to the moment before an accident, then everything acknowledged until then exists', {
  timeout: 240_000,
}, async () => {
  const mariadb = await startMariadb({
    args: ['--server-id=1', '--log-bin=mariadb-bin', '--binlog-format=ROW', '--sync-binlog=1'],
  });
  onTestFinished(() => mariadb.kill());
  const url = await mariadb.createDatabase('gatehouse');
  await (await migratedAt(url)).close();
  const { service, journal, until, stopWriting } = await startLoadedService(url);
  await until(isEnough);

  const { server, env, name } = mariadbArguments(url);
  const dump = join(tempDir('backup'), 'gatehouse.sql');
  const options = ['--single-transaction', '--routines', '--master-data=2', `--result-file=${dump}`];
  await run(requireExecutable('mariadb-dump'), [...server, ...options, name], { env });
  const dumped = markOf(journal);
  await until(
    ({ players, done }) =>
      players.length > dumped.players.length + 5 && done.length > dumped.done.length + 10,
  );
  await stopWriting();
  const mark = markOf(journal);
  await service.kill();
  const [{ File: lastFile, Position: accident }] = (await mariadb.execute('SHOW MASTER STATUS')) as [
    { File: string; Position: number },
  ];
  await executeAt(url, 'DELETE FROM player; DELETE FROM withdraw');

  // The steps of docs/backup.md, with the exact position.
  await mariadb.execute('FLUSH BINARY LOGS');
  const { stdout: position } = await run('grep', ['-m1', 'MASTER_LOG_POS', dump]);
  const [, file = '', start = ''] = /MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)/.exec(position) ?? [];
  expect(file).toBe(lastFile);
  await mariadb.execute(
    'SET sql_log_bin = 0; DROP DATABASE gatehouse; CREATE DATABASE gatehouse CHARACTER SET utf8mb4',
  );
  const client = [requireExecutable('mariadb'), ...server].join(' ');
  const binlog = requireExecutable('mariadb-binlog');
  await run('sh', ['-euc', `${client} --init-command='SET sql_log_bin = 0' gatehouse < ${dump}`], { env });
  const range = `--start-position=${start} --stop-position=${accident}`;
  const later = `${binlog} --disable-log-bin --database=gatehouse ${range} ${join(mariadb.dataDir, file)}`;
  await run('bash', ['-euo', 'pipefail', '-c', `${later} | ${client}`], { env });

  await expectWhole(url, mark);
  expect(mark.players.length).toBeGreaterThan(dumped.players.length);
  const again = await startGatehouse({ settings: withoutPort(service.settings) });
  onTestFinished(() => again.kill());
  expect((await fetch(`${again.url}/api/health/ready`)).status).toBe(200);
});
