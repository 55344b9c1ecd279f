import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { makeOperator, OPERATOR_PASSWORD } from './support/operator.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp } from './support/test-app.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

// server/test/monitoring.slow.test.ts has promtool look at the same text.

/** Returns a reader of one series by its name and labels as they are written. */
const reader = (metrics: { text(): Promise<string> }) => async (series: string) => {
  const lines = (await metrics.text()).split('\n');
  const line = lines.find((each) => each.startsWith(`gatehouse_${series} `));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
};

describeByTier('metrics', (engine) => {
  test('when players register, log in and are checked, then each is counted by its outcome', async () => {
    const app = await startTestApp(await engine.freshUrl(), { console: { require_totp: false } });
    const value = reader(app.metrics);
    expect(await value('logins_total{kind="password",outcome="success"}')).toBe(0);
    const { token } = await app.register('counted');
    const log = (password: string) =>
      app.from(freshAddress()).post('/api/login', { account: 'counted', password });
    await log(PASSWORD);
    await log('wrong');
    await log('wrong');
    const check = (presented: string) =>
      app.from(freshAddress()).post('/api/check', { account: 'counted', token: presented });
    await check(token);
    await check(`${token}x`);
    await check(legacyHash(PASSWORD));
    await check('0'.repeat(32));
    await makeOperator(app);
    await app.from(freshAddress()).post('/api/admin/login', { name: 'boss', password: OPERATOR_PASSWORD });
    const counted = {
      'registrations_total{kind="mail",outcome="success"}': 1,
      'logins_total{kind="password",outcome="success"}': 1,
      'logins_total{kind="password",outcome="invalid_credentials"}': 2,
      'logins_total{kind="operator",outcome="success"}': 1,
      'checks_total{format="jwt",outcome="success"}': 1,
      'checks_total{format="jwt",outcome="invalid_token"}': 1,
      'checks_total{format="legacy",outcome="success"}': 1,
      'checks_total{format="legacy",outcome="invalid_token"}': 1,
      'mails_total{kind="code",outcome="sent"}': 1,
    };
    const read = await Promise.all(Object.keys(counted).map(async (name) => [name, await value(name)]));
    expect(Object.fromEntries(read)).toEqual(counted);
    for (const queue of ['mail', 'notices', 'login_history', 'chat', 'database'])
      expect(await value(`queue_length{queue="${queue}"}`)).toBeGreaterThanOrEqual(0);
    const connections = await value('database_connections{state="idle"}');
    expect(connections === undefined).toBe(app.db.engine === 'sqlite');
    expect(await app.metrics.text()).toMatch(/^gatehouse_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  });
});

test('when a registration is refused for the cap, then it is counted as that', async () => {
  const app = await startTestApp(freshSqlite(), { day_max_reg: 1 });
  const code = await app.code('second@example.com');
  await app.register('first');
  const form = { account: 'second', password: PASSWORD, email: 'second@example.com', code };
  expect((await app.post('/api/register', form)).status).toBe(429);
  const value = reader(app.metrics);
  expect(await value('registrations_total{kind="mail",outcome="registration_cap_reached"}')).toBe(1);
  expect(await value('registrations_today')).toBe(await value('registrations_cap'));
});

test('when the GM interface is called, then its duration is recorded for the zone', async () => {
  const app = await startWithdrawApp(freshSqlite());
  const { player, body } = await addPlayerWithRole(app);
  expect((await app.withdraw(player, body)).status).toBe(200);
  const value = reader(app.service.metrics);
  expect(await value('gm_call_seconds_count{server_id="1",call="deduct"}')).toBe(1);
  expect(await value('gm_call_seconds_bucket{le="+Inf",server_id="1",call="deduct"}')).toBe(1);
});

test('when a zone does not answer, then its gauge is 0; a zone in maintenance has none', async () => {
  const app = await startTestApp(freshSqlite(), { zones: { probe_interval: 1 } });
  const zone = { name: 'Z', address: '127.0.0.1', port: 9 };
  await app.db.kysely
    .insertInto('server')
    .values([
      { ...zone, server_id: 1, status: 'open' },
      { ...zone, server_id: 2, status: 'maintenance' },
      { ...zone, server_id: 3, status: 'open', port: Number(new URL(app.url).port) },
    ])
    .execute();
  const value = reader(app.metrics);
  const all = async () => Promise.all([1, 2, 3].map((id) => value(`zone_up{server_id="${id}"}`)));
  await expect.poll(all).toEqual([0, undefined, 1]);
});

test('when the service has its own metric, then the monitoring page names it', async () => {
  const app = await startTestApp(freshSqlite());
  const page = readFileSync(join(import.meta.dirname, '../../docs/observability.md'), 'utf8');
  const names = Array.from(
    (await app.metrics.text()).matchAll(/^# TYPE (gatehouse_\w+)/gm),
    ([, name = '']) => name,
  );
  const own = names.filter((name) => !/^gatehouse_(process|nodejs)_/.test(name));
  expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
