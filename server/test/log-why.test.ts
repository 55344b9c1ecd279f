import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { clientFrom } from './support/client.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp } from './support/test-app.ts';

type Line = { code?: string; account?: string; throttle?: string; path?: string };

async function refusedLogins(accounts: 'hash' | 'name' | 'none') {
  const folder = tempDir('log-why');
  const file = join(folder, 'service.log');
  const app = await startTestApp(`sqlite:${join(folder, 'gatehouse.db')}`, { log: { file, accounts } });
  const { token } = await app.register('Puzzled');
  const client = clientFrom(app.url, freshAddress());
  for (let times = 0; times < 6; times++)
    await client.post('/api/login', { account: 'puzzled', password: 'Wrong-Horse-1' });
  await client.form('/api/check', { account: 'Puzzled', token: 'x'.repeat(32) });
  await app.cli('player', 'ban', 'Puzzled');
  await client.get('/api/bind', { token });
  await client.post('/api/login', { account: 'Other', password: PASSWORD });
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"code":'))
      .map((line) => JSON.parse(line) as Line);
  await expect.poll(() => lines().length).toBeGreaterThanOrEqual(9);
  return { app, file, lines };
}

test('when a request is refused, then the log has the reason, the throttle and the account, and the command finds it', async () => {
  const { app, file, lines } = await refusedLogins('hash');
  expect(readFileSync(file, 'utf8')).not.toMatch(/puzzled/i);
  expect(new Set(lines().map(({ account }) => account)).size).toBeGreaterThan(1);
  const why = async (...args: string[]) =>
    JSON.parse((await app.cli('log', 'why', ...args, '--json')).stdout) as Line[];
  const found = await why('PUZZLED');
  expect(found.map(({ code, throttle }) => throttle ?? code)).toEqual([
    ...Array(5).fill('invalid_credentials'),
    'account_address',
    'account_address',
  ]);
  const { stdout: table } = await app.cli('log', 'why', 'PUZZLED');
  expect(table).toMatch(/ 5 +POST \/api\/login +401 +invalid_credentials /);
  expect(table.trim().split('\n')).toHaveLength(4);
  expect(await why('PUZZLED', '--since', '2099-01-01')).toEqual([]);
  expect((await app.cli('log', 'why', 'Nobody')).stdout).toContain('no request of Nobody was refused since');
  const copy = join(app.folder, 'old.log');
  writeFileSync(copy, `not JSON "account":\n${readFileSync(file, 'utf8')}`);
  expect(await why('puzzled', '--file', copy)).toHaveLength(found.length);
});

test('when accounts are logged by name, or not at all, then log lines follow the setting', async () => {
  const { app, lines } = await refusedLogins('name');
  expect(lines()[0]).toMatchObject({ account: 'puzzled', code: 'invalid_credentials' });
  expect(JSON.parse((await app.cli('log', 'why', 'Puzzled', '--json')).stdout).length).toBeGreaterThan(5);
});

test('when a path, a query or an account has control characters or reverses text, then the log escapes them', async () => {
  const folder = tempDir('log-controls');
  const file = join(folder, 'service.log');
  const log = { file, accounts: 'name' };
  const app = await startTestApp(`sqlite:${join(folder, 'gatehouse.db')}`, { log });
  const query = 'server_id=%C2%9B31m&limit=%E2%80%AE&%E2%80%AEname=1&agent_id=%1B%7F';
  const head = `GET /x\u009b31m?${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  await sendRaw({ port: Number(new URL(app.url).port), data: Buffer.from(head, 'latin1') });
  await app.get(`/y?${query}`);
  await app.post('/api/login', { account: 'Eve\u202e\u009b', password: PASSWORD });
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"path":"/api/login"');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"path":"/y","query":"server_id=\\u009b31m&limit=\\u202e&\\u202ename=…');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  for (const line of text.trimEnd().split('\n')) JSON.parse(line);
});

test('when a client misspells the query, then its token is not in the log', async () => {
  const app = await startTestApp(freshSqlite());
  const { token } = await app.register('misspelt');
  for (const secret of [legacyHash(PASSWORD), legacyHash(PASSWORD).toUpperCase(), token])
    for (const path of [
      `?token%3D${secret}`,
      `?${secret}`,
      `%3Ftoken=${secret}`,
      `;token=${secret}`,
      `/${secret}`,
    ])
      await app.get(`/api/check${path}`);
  await app.stop();
  const log = readFileSync(join(app.folder, 'service.log'), 'utf8');
  expect(log).toContain('"path":"/api/check;token=…"');
  expect(log.toLowerCase()).not.toContain(legacyHash(PASSWORD));
  expect(log).not.toContain(token);
});
