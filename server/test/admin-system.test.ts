import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { openDatabase } from '../src/db/open.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import { auditRows } from './support/audit.ts';
import { clientFrom } from './support/client.ts';
import { makeOperator, type OperatorClient } from './support/operator.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };

interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

async function settingsOf(operator: OperatorClient): Promise<(name: string) => Setting | undefined> {
  const { settings } = (await operator.get('settings')).body as { settings: Setting[] };
  return (name) => settings.find((each) => each.name === name);
}

describeByTier('the audit over the API', (engine) => {
  /** Starts with two zones that Otto has added and changed. */
  async function startWithRecords(): Promise<TestApp> {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const zones = openZoneAdmin(app);
    const otto = { name: 'otto', via: 'cli' } as const;
    for (const server_id of [1, 2]) {
      const zone = { server_id, name: `=Zone ${server_id}`, address: '10.0.0.1', port: 7000 };
      await zones.add(otto, { zones: [zone], reason: 'new' });
      await zones.set(otto, { serverId: server_id, fields: { port: 7001 } });
    }
    return app;
  }

  test('when the records are listed, then filters and pages work, and a zone’s operator sees its rows', async () => {
    const app = await startWithRecords();
    const manager = await makeOperator(app, { name: 'mona', role: 'manager' });
    const subjects = async (who: OperatorClient, query: string) =>
      ((await who.get(`audit?${query}`)).body.audit as { subject_id: string; action: string }[]).map(
        ({ subject_id, action }) => `${action} ${subject_id}`,
      );
    expect(await subjects(manager, 'server_id=2&action=zone.set')).toEqual(['zone.set 2']);
    expect(await subjects(manager, 'subject_kind=zone&subject_id=1&action=zone.add')).toEqual(['zone.add 1']);
    expect(await subjects(manager, 'actor=otto&to=2001-01-01T00:00:00Z')).toEqual([]);
    expect(await subjects(manager, 'actor=otto&from=2001-01-01T00:00:00Z')).toHaveLength(4);

    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await manager.get(`audit?actor=otto&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.audit.map(({ id }: { id: string }) => id));
      cursor = body.next;
    }
    expect(new Set(seen).size).toBe(4);
    const [row] = (await manager.get('audit?action=zone.set&server_id=1')).body.audit;
    expect(row).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: 'otto',
      via: 'cli',
      action: 'zone.set',
      subject_kind: 'zone',
      subject_id: '1',
      server_id: 1,
      reason: null,
      before: { port: 7000 },
      after: { port: 7001 },
      ip: null,
      request_id: null,
    });

    const local = await makeOperator(app, { name: 'lena', role: 'manager', zones: [2] });
    expect((await subjects(local, '')).sort()).toEqual(['zone.add 2', 'zone.set 2']);
    expect(await local.get('audit?server_id=1')).toMatchObject({
      status: 404,
      body: { code: 'server_not_found' },
    });
    const support = await makeOperator(app, { name: 'sam', role: 'support' });
    expect((await support.get('audit')).body.code).toBe('permission_denied');
    for (const wrong of ['action=zone.burn', 'from=yesterday', 'cursor=xx', 'limit=0', 'colour=red'])
      expect([wrong, (await manager.get(`audit?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  test('when the records are exported as CSV, then no spreadsheet runs the file, and the export is recorded', async () => {
    const app = await startWithRecords();
    const manager = await makeOperator(app, { name: 'mona', role: 'manager' });
    const file = await manager.get('audit?actor=otto&action=zone.add', { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('cache-control')).toBe('no-store');
    const [heading, ...lines] = file.text.trimEnd().split('\r\n');
    expect(heading).toBe(
      'id,at,actor,via,action,subject_kind,subject_id,server_id,reason,before,after,ip,request_id',
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /,"otto","cli","zone\.add","zone","[12]","[12]","new","","\{""name"":""=Zone [12]"",/,
    );
    const exported = (await auditRows(app.db)).filter(({ action }) => action === 'export');
    expect(exported).toMatchObject([
      { actor: 'mona', subject_kind: 'list', subject_id: 'audit', via: 'console' },
    ]);
    expect(JSON.parse(exported[0]?.after ?? '')).toEqual({ actor: 'otto', action: 'zone.add' });
  });
});

test('when the doctor is run over the API, then it finds what the command line finds', async () => {
  const app = await startTestApp(freshSqlite(), relaxed);
  const manager = await makeOperator(app, { role: 'manager' });
  const { status, body } = await manager.get('doctor');
  expect(status).toBe(200);
  const checks = new Map(
    body.findings.map((finding: { check: string; status: string }) => [finding.check, finding.status]),
  );
  expect(Object.fromEntries(checks)).toMatchObject({ database: 'ok', migrations: 'ok', zones: 'warning' });
  const local = await makeOperator(app, { name: 'lena', role: 'admin', zones: [1] });
  for (const path of ['doctor', 'settings'])
    expect((await local.get(path)).body.code).toBe('permission_denied');
});

/**
 * Counts the chat lines in another process. It first imitates the exit of Debian's sqlite3 shell, which deletes the WAL if
 * there is no lock on the file. Newer versions of SQLite do so only in exclusive mode.
 */
async function countByOtherProgram(file: string): Promise<number> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const first = new DatabaseSync(process.argv[1]);
    try {
      first.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM chat');
    } catch (error) {
      if (error.message !== 'database is locked') throw error;
    }
    first.close();
    const second = new DatabaseSync(process.argv[1]);
    console.log(second.prepare('SELECT count(*) AS n FROM chat').get().n);
    second.close();`;
  return Number((await promisify(execFile)(process.execPath, ['-e', script, file])).stdout);
}

test('when another program reads the SQLite file after the doctor and the service is killed, then no answered write is lost', async () => {
  const file = join(tempDir('admin'), 'gatehouse.db');
  const url = `sqlite:${file}`;
  const service = await startGatehouse({
    settings: { ...relaxed, database: { url }, trust_proxy: ['127.0.0.1'] },
  });
  onTestFinished(() => service.kill());
  const from = (address: string) => clientFrom(service.url, address);
  const db = await openDatabase(url);
  const boss = await makeOperator({ db, url: service.url, from });
  await db.close();
  const report = (content: string) =>
    from('127.0.0.1').post('/api/report/chat', { server_id: 1, role: 'r', content });

  expect((await report('before')).status).toBe(200);
  expect((await boss.get('doctor')).status).toBe(200);
  expect(await countByOtherProgram(file)).toBe(1);
  expect((await report('after')).status).toBe(200);
  await service.kill();
  expect(await countByOtherProgram(file)).toBe(2);
});

test('when many run the doctor concurrently, then each zone is contacted once, and all get the same result', async () => {
  const app = await startTestApp(freshSqlite(), {
    ...relaxed,
    // All have arrived before the game times out.
    gm: { receipt_operation: 11, timeout: 60 },
  });
  const manager = await makeOperator(app, { role: 'manager' });
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>();
  let calls = 0;
  const gm = createServer(async (_request, response) => {
    calls++;
    await release;
    response.end('{"result":"unknown order"}');
  });
  gm.listen(0, '127.0.0.1');
  await once(gm, 'listening');
  onTestFinished(() => void gm.close());
  const { port } = gm.address() as AddressInfo;
  const zone = {
    server_id: 1,
    name: 'Zone',
    address: '127.0.0.1',
    port,
    gm_url: `http://127.0.0.1:${port}/gm`,
  };
  await openZoneAdmin(app).add({ name: 'otto', via: 'cli' }, { zones: [zone], reason: 'new' });
  let arrived = 0;
  const count = (message: unknown) => {
    if ((message as { request: IncomingMessage }).request.url === '/api/admin/doctor') arrived++;
  };
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  const pending = Array.from({ length: 20 }, () => manager.get('doctor'));
  await expect.poll(() => [calls, arrived]).toEqual([1, 20]);
  // Authenticated after the requests that arrived before it.
  await manager.get('settings');
  letGo();
  const answers = await Promise.all(pending);
  expect(calls).toBe(1);
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.findings).toContainEqual(expect.objectContaining({ check: 'zone 1 GM interface' }));
  }
});

test('when the settings are listed, then each names its source, and no secret is shown', async () => {
  const database = freshSqlite();
  const service = await startGatehouse({
    settings: {
      ...relaxed,
      database: { url: database },
      trust_proxy: ['127.0.0.1'],
      game: { name: 'Lantern' },
      gm: { key: 'gm-secret' },
      redis: {},
      zones: { database_url: 'mysql://game:db-secret@127.0.0.1:3306' },
      providers: { club: { name: 'Club', client_secret: 'club-secret' } },
    },
    env: { GATEHOUSE_DAY_MAX_REG: '77' },
  });
  const db = await openDatabase(database);
  const app = { db, url: service.url, from: (address: string) => clientFrom(service.url, address) };
  const boss = await makeOperator(app as unknown as TestApp);
  await boss.send('PUT', 'controls/withdraw.enabled', { value: false, reason: 'test' });
  const setting = await settingsOf(boss);
  expect(setting('game.name')).toEqual({ name: 'game.name', value: 'Lantern', source: 'file' });
  expect(setting('day_max_reg')).toEqual({ name: 'day_max_reg', value: 77, source: 'environment' });
  expect(setting('withdraw.min')).toEqual({ name: 'withdraw.min', value: 1, source: 'default' });
  expect(setting('withdraw.enabled')).toMatchObject({ value: false, source: 'control' });
  expect(setting('redis.url')).toEqual({ name: 'redis.url', value: null, source: 'default' });
  expect(setting('gm.key')).toMatchObject({ value: '***', source: 'file' });
  expect(setting('auth.jwt_secret')).toMatchObject({ value: '***', source: 'file' });
  expect(setting('auth.game_token')).toEqual({ name: 'auth.game_token', value: 'jwt', source: 'default' });
  expect(setting('zones.database_url')?.value).toBe('mysql://game:***@127.0.0.1:3306');
  expect(setting('providers.club.name')).toMatchObject({ value: 'Club', source: 'file' });
  expect(setting('providers.club.client_secret')?.value).toBe('***');

  service.writeSettings({ ...service.settings, log: { level: 'warn' }, game: { name: 'Other' } });
  await expect
    .poll(async () => (await settingsOf(boss))('log.level'))
    .toEqual({ name: 'log.level', value: 'warn', source: 'file' });
  // The level needs a restart, so the value in force is shown. The control still overrides the new file.
  const reloaded = await settingsOf(boss);
  expect(reloaded('game.name')?.value).toBe('Lantern');
  expect(reloaded('withdraw.enabled')).toMatchObject({ value: false, source: 'control' });
  await db.close();
  await service.stop();
});
