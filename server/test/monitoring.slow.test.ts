import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requireExecutable } from '../../test-support/executables.ts';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { createDatabase } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { startPrometheus } from '../../test-support/prometheus.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const rulesFile = join(deploy, 'prometheus/alerts.yml');
const testsFile = join(deploy, 'prometheus/alerts.test.yml');

/** promtool evaluates every rule for every minute of each test. */
vi.setConfig({ testTimeout: 300_000 });

/** Runs promtool and returns what it reports: nothing if there is no fault. */
function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(requireExecutable('promtool'), args, {
    input,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Metrics that exist only with MariaDB, Redis, several workers or a second of uptime. */
const SOMETIMES = [
  'database_connections',
  'redis_up',
  'worker_deaths_total',
  'zone_up',
  'gm_failing_since_timestamp_seconds',
];

async function metricsText(): Promise<string> {
  const app = await startWithdrawApp(freshSqlite());
  const { player, body } = await addPlayerWithRole(app);
  await app.withdraw(player, body);
  await app.from('198.18.0.1').post('/api/login', { account: 'nobody', password: 'wrong' });
  await expect.poll(() => app.service.metrics.text()).toContain('job="day_stat"');
  return app.service.metrics.text();
}

test('when promtool reads the metrics, then it reports nothing', async () => {
  expect(promtool(['check', 'metrics'], await metricsText())).toEqual({ status: 0, output: '' });
});

test('when promtool reads the alert rules, then they are valid and each has a test that fires it', () => {
  expect(promtool(['check', 'rules', rulesFile])).toMatchObject({ status: 0 });
  expect(promtool(['test', 'rules', testsFile])).toMatchObject({ status: 0 });
  const tests = readFileSync(testsFile, 'utf8');
  const alerts = readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g);
  for (const [, alert] of alerts) expect(tests).toMatch(new RegExp(`(alertname: |alertname=")${alert}\\b`));
});

test('when alerts cannot fire, then the test of each fails', () => {
  const folder = tempDir('rules');
  writeFileSync(join(folder, 'alerts.test.yml'), readFileSync(testsFile));
  const rules = readFileSync(rulesFile, 'utf8');
  writeFileSync(join(folder, 'alerts.yml'), rules.replaceAll(/^( +expr: ).*$/gm, '$1vector(1) > 2'));
  const { status, output } = promtool(['test', 'rules', join(folder, 'alerts.test.yml')]);
  expect(status).toBe(1);
  for (const [, alert = ''] of rules.matchAll(/- alert: (\w+)/g)) expect(output).toContain(alert);
});

test('when the dashboard and the rules query metrics, then those exist, in expressions that Prometheus parses', async () => {
  const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana/gatehouse.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(20);
  const recorded = expressions.map((expr, place) => ({
    record: `panel:${place}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }));
  const file = join(tempDir('dashboard'), 'panels.json');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
  expect(promtool(['check', 'rules', file])).toMatchObject({ status: 0 });

  const text = await metricsText();
  const asked = [...expressions, readFileSync(rulesFile, 'utf8')].join('\n').matchAll(/\bgatehouse_(\w+)/g);
  const names = new Set(Array.from(asked, ([, name = '']) => name));
  const missing = [...names].filter(
    (name) => !text.includes(`gatehouse_${name}`) && !SOMETIMES.includes(name),
  );
  expect(missing).toEqual([]);
});

test('when Prometheus scrapes with the shipped files, then it has the figures, and an alert is pending after a stop', async () => {
  const service = await startGatehouse({
    settings: { database: { url: await createDatabase(sharedMariadbUrl()) } },
  });
  onTestFinished(() => service.stop());
  const prometheus = await startPrometheus({ target: `127.0.0.1:${service.port}` });
  onTestFinished(prometheus.kill);
  const valueAt = async (expression: string) => Number((await prometheus.query(expression))[0]?.value[1]);
  await expect.poll(() => valueAt('up{job="gatehouse"}')).toBe(1);
  await expect.poll(() => valueAt('sum(gatehouse_database_connections)')).toBeGreaterThan(0);
  await expect
    .poll(() => valueAt('gatehouse_job_last_success_timestamp_seconds{exported_job="withdraw_recovery"}'))
    .toBeGreaterThan(1e9);
  expect(await prometheus.query('ALERTS')).toEqual([]);
  await service.stop();
  await expect
    .poll(async () => (await prometheus.query('ALERTS')).map(({ metric }) => metric.alertname))
    .toContain('GatehouseDown');
});
