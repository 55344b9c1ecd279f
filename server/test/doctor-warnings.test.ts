import { expect, onTestFinished, test, vi } from 'vitest';
import { startMariadb } from '../../test-support/mariadb.ts';
import { examineClock, judgeSkew } from '../src/features/doctor/admin/database.ts';
import { nodeVersion } from '../src/features/doctor/admin/environment.ts';
import { migratedAt } from './db/opened.ts';
import { doctor, STRONG, settingsFile, type Table } from './support/doctor.ts';

test('when anyone may report chat at a public address, then the doctor warns, but not on loopback or where only games may', async () => {
  const chatFrom = async (settings: Table) =>
    (await doctor(settingsFile(settings))).of('chat.from')[0]?.status;
  expect(await chatFrom({ public_url: 'http://127.0.0.2' })).toBe('ok');
  expect(await chatFrom({ public_url: 'http://192.0.2.1' })).toBe('warning');
  expect(await chatFrom({ public_url: 'http://192.0.2.1', chat: { from: 'game_servers' } })).toBe('ok');
});

test.each<[string, Table, string, string]>([
  ['https without a trusted proxy', { public_url: 'https://play.example.com' }, 'trust_proxy', 'is empty'],
  [
    'a deny list over the proxy',
    { trust_proxy: ['10.0.0.0/24'], deny_ip: ['10.0.0.7-10.0.1.9'] },
    'deny_ip',
    'includes the trusted proxy 10.0.0.0/24',
  ],
  ['everybody trusted', { trust_proxy: ['0.0.0.0/0'] }, 'trust_proxy', 'trusts everyone'],
  ['no encryption', { public_url: 'http://play.example.com' }, 'public_url', 'not encrypted'],
  ['an outbox in production', { public_url: 'https://play.example.com' }, 'mail', 'players receive no codes'],
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

test('when MariaDB is badly configured, then each bad setting is named', async () => {
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

test('when the answer of the database is late, then no wrong clock is reported', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = Date.now();
  const answer = (theirs: number) =>
    examineClock(async () => {
      vi.setSystemTime(asked + 9000);
      return theirs;
    });
  expect(await answer(asked + 100)).toMatchObject({ status: 'ok' });
  vi.setSystemTime(asked);
  expect(await answer(asked + 11_500)).toMatchObject({ status: 'warning' });
});

test('when clocks differ or Node is old, then the doctor warns', () => {
  expect(judgeSkew(-5000)).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('5.0 s behind'),
  });
  expect(judgeSkew(300)).toMatchObject({ status: 'ok' });
  expect(nodeVersion('24.12.0').status).toBe('warning');
  expect(nodeVersion('26.0.0').status).toBe('ok');
});
