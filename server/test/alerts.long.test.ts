import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn } from '../../test-support/mail.ts';
import { createDatabase, executeAt, startMariadb } from '../../test-support/mariadb.ts';
import { startPrometheus } from '../../test-support/prometheus.ts';
import { startRedis } from '../../test-support/redis.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { configOf } from './support/cli-config.ts';
import { isRoot, smallDisk } from './support/small-disk.ts';
import { PASSWORD } from './support/test-app.ts';
import { addPlayerWithRole, backdate, startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';
import { workerProcesses } from './support/worker-processes.ts';

vi.setConfig({ testTimeout: 900_000 });

const FIRES_WITHIN = { timeout: 120_000, interval: 500 };

/** Turns minutes into seconds, except that the reconciliation may take longer than the minute between its tries. */
const faster = (rules: string) =>
  rules
    // A scrape that takes a second returns its result a second later: a range of two seconds would sometimes be empty.
    .replaceAll('[2m]', '[4s]')
    .replaceAll(/\b(\d+)m\b/g, '$1s')
    .replaceAll(
      /> (\d{3,})\b/g,
      (_, seconds: string) => `> ${seconds === '90000' ? 75 : Number(seconds) / 60}`,
    );

/** Starts Prometheus with the shipped files, sixty times as fast. A scrape takes a second while the database does not answer. */
async function watch(url: string) {
  const prometheus = await startPrometheus({
    target: new URL(url).host,
    interval: '2s',
    rules: faster,
  });
  onTestFinished(prometheus.kill);
  const figure = async (expression: string) => Number((await prometheus.query(expression))[0]?.value[1]);
  const firing = async () =>
    (await prometheus.query('ALERTS{alertstate="firing"}')).map(({ metric }) => metric.alertname ?? '');
  return {
    figure,
    firing,
    /** Breaks something after the alerts of an earlier fault have ended, and waits for its own alert. */
    async expectAlerts(alerts: readonly string[], breakIt: () => Promise<unknown>): Promise<void> {
      const early = async () => (await firing()).filter((alert) => alerts.includes(alert));
      await expect.poll(early, FIRES_WITHIN).toEqual([]);
      await breakIt();
      await expect.poll(firing, FIRES_WITHIN).toEqual(expect.arrayContaining([...alerts]));
    },
  };
}

async function listenAt(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

let lastAddress = 0;
const post = (app: WithdrawApp, path: string, body: object) =>
  app.from(`198.19.${(lastAddress >> 8) & 255}.${lastAddress++ & 255}`).post(path, body);

const logIn = (app: WithdrawApp, n: number) =>
  post(app, '/api/login', { account: `stranger${n}`, password: 'wrong' });

/** Sends logins, each in its own event-loop iteration, until the work is done. */
async function loginsDuring(app: WithdrawApp, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const sent: Promise<unknown>[] = [];
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  for (let n = 0; !isDone; n++) {
    if (n < 200 || n % 20 === 0) sent.push(logIn(app, n));
    await sleep(10);
  }
  await Promise.all(sent);
}

test('when a part of the platform is broken, then its alerts fire', async () => {
  const mariadb = await startMariadb();
  onTestFinished(() => mariadb.kill());
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  const gamePort = createServer();
  const app = await startWithdrawApp(await createDatabase(mariadb.url), {
    row: { port: await listenAt(gamePort) },
    settings: {
      redis: { url: redis.url },
      mail: { url: smtp.url },
      challenge: { mode: 'off' },
      day_max_reg: 1,
      zones: { probe_interval: 1 },
      webhooks: { private: true },
      gm: { timeout: 4 },
    },
  });
  const { expectAlerts, figure, firing } = await watch(app.url);
  await expect.poll(() => figure('gatehouse_zone_up + on () gatehouse_redis_up'), FIRES_WITHIN).toBe(2);
  await expect.poll(() => figure('count_over_time(up[1m])'), FIRES_WITHIN).toBeGreaterThan(8);
  expect(await firing()).toEqual([]);

  // First of all: after many wrong passwords a login must solve a challenge, and no longer reaches the database.
  const locked = executeAt(app.databaseUrl, 'LOCK TABLES player WRITE; DO SLEEP(15)');
  await Promise.all([loginsDuring(app, locked), expectAlerts(['GatehouseDatabaseQueue'], async () => {})]);
  await expectAlerts(['GatehouseRegistrationCap'], async () => {
    const email = 'first@example.com';
    await post(app, '/api/send_code', { email });
    const code = codeIn((await smtp.waitForMessage(email)).raw);
    const { status } = await post(app, '/api/register', {
      account: 'first_one',
      password: PASSWORD,
      email,
      code,
    });
    expect(status).toBe(201);
  });
  await expectAlerts(['GatehouseMailFails'], async () => {
    smtp.setMode('refuse');
    for (const n of [1, 2, 3]) await post(app, '/api/send_code', { email: `late${n}@example.com` });
  });
  await expectAlerts(['GatehouseGuessing'], () =>
    Promise.all(Array.from({ length: 150 }, (_, n) => logIn(app, n))),
  );
  await expectAlerts(['GatehouseZoneDown'], async () => gamePort.close());

  await expectAlerts(['GatehouseGmSlow'], async () => {
    app.zone.setFaults(() => 'delay:2500');
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const { player, body } = await addPlayerWithRole(app, 1000, `slow${n}`);
      expect((await app.withdraw(player, body)).body.state).toBe('done');
    }
  });
  await expectAlerts(['GatehouseGmFailing', 'GatehouseUnknownWithdrawals'], async () => {
    app.zone.setFaults(() => 'http_500_before');
    const { player, body } = await addPlayerWithRole(app, 1000, 'unlucky');
    const { withdraw_id } = (await app.withdraw(player, body)).body;
    await backdate(app, withdraw_id, 60_000);
  });
  await expectAlerts(['GatehouseWebhooksBehind'], async () => {
    const receiver = createServer((_request, response) => response.writeHead(500).end());
    const url = `http://127.0.0.1:${await listenAt(receiver)}/`;
    const config = configOf(app.databaseUrl, app.settings);
    const added = await runCommand(['webhook', 'add', url, '--events', 'zone.status', '--json'], { config });
    const event = { event_id: 'msg_1', type: 'zone.status', body: '{}', created_at: Date.now() - 90_000 };
    await app.db.kysely
      .insertInto('webhook_delivery')
      .values({ webhook_id: JSON.parse(added.stdout).id, ...event })
      .execute();
  });
  await expectAlerts(['GatehouseRedisDown'], () => redis.kill());
  const ofDatabase = ['Errors', 'Slow', 'LoginsFail', 'JobLate', 'ReconciliationLate'];
  const stalled = expectAlerts(
    ofDatabase.map((name) => `Gatehouse${name}`),
    async () => mariadb.freeze(),
  );
  await Promise.all([stalled.finally(mariadb.thaw), loginsDuring(app, stalled)]);
  await expectAlerts(['GatehouseDown'], app.stop);
});

test('when workers die or a disk fills up, then an alert fires', async () => {
  const folder = isRoot ? smallDisk(1200) : undefined;
  const service = await startGatehouse({
    args: ['--workers', '2'],
    settings: folder === undefined ? {} : { log: { file: join(folder, 'gatehouse.log') } },
  });
  onTestFinished(() => service.stop());
  const { expectAlerts, figure } = await watch(service.url);
  await expect.poll(() => figure('count_over_time(up[1m])'), FIRES_WITHIN).toBeGreaterThan(8);

  if (folder !== undefined)
    await expectAlerts(['GatehouseDiskFull'], async () => {
      execFileSync('fallocate', ['-l', '400M', join(folder, 'filler')]);
    });
  const { processes } = workerProcesses(() => service);
  await expectAlerts(['GatehouseWorkersDie'], async () => {
    for (let deaths = 0; deaths < 3; deaths++) {
      const [victim = 0] = processes();
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => processes().filter((pid) => pid !== victim).length, FIRES_WITHIN).toBe(2);
    }
  });
});
