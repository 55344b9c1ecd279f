import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { type Nginx, startNginx } from '../../test-support/nginx.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { sendRaw } from '../../test-support/raw-http.ts';
import { openDatabase } from '../src/db/open.ts';
import { clientFrom } from './support/client.ts';
import { siteConfiguration } from './support/nginx-site.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

let services: Gatehouse[];
let nginx: Nginx;
let url: string;
let port: number;

beforeAll(async () => {
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const database = { url: `sqlite:${tempDir('nginx-db')}/gatehouse.db` };
  const shared = {
    database,
    trust_proxy: ['127.0.0.1'],
    deny_ip: ['::1'],
    auth: { password_key: 'old', jwt_secret: 'j'.repeat(40) },
  };
  services = [await startGatehouse({ settings: shared }), await startGatehouse({ settings: shared })];
  const db = await openDatabase(database.url);
  await db.kysely
    .insertInto('player')
    .values({ account: 'OldClient', password_hash: md5('pwold') })
    .execute();
  await db.close();
  const root = tempDir('nginx-root');
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'assets/app-1a2b.js'), 'export {};');
  nginx = await startNginx({
    conf: siteConfiguration({
      listen: [`127.0.0.1:${port}`, `[::1]:${port}`],
      backends: services.map((each) => each.port),
      root,
    }),
  });
});

afterAll(async () => {
  await nginx?.stop();
  await Promise.all((services ?? []).map((each) => each.stop()));
});

const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });

test('when a path ends in .php, however it is spelled, then nginx answers 404 itself', async () => {
  for (const path of [
    '/anything.php',
    '/a%2ephp',
    '/x.php/y',
    '/login.php',
    '/api.php',
    '/server.PHP',
    '/x.php?a=1',
  ]) {
    const answer = await ask(path);
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    expect(await answer.json()).toMatchObject({ code: 'not_found', status: 404 });
  }
  expect(services.some((each) => each.output().includes('.php'))).toBe(false);
});

test('when the old API entry is called, then it is gone', async () => {
  expect((await ask('/api')).status).toBe(410);
  expect((await ask('/api/')).status).toBe(410);
  expect((await ask('/api?do=login', { method: 'POST', body: 'x=1' })).status).toBe(410);
});

test('when an old game client asks, then its md5 token verifies in every form and stands in no log', async () => {
  const token = md5('pwold');
  const client = clientFrom(url, '127.0.0.1');
  const expected = { valid: true, account: 'OldClient', format: 'legacy' };
  expect((await client.get(`/api/check?account=oldclient&token=${token}`)).body).toMatchObject(expected);
  expect((await client.form('/api/check', { account: 'OLDCLIENT', token })).body).toMatchObject(expected);
  expect((await client.post('/api/check', { account: 'OldClient', token })).body).toMatchObject(expected);
  await expect.poll(() => nginx.logs()).toContain('GET /api/check');
  await expect.poll(() => services.map((each) => each.output()).join()).toContain('/api/check');
  for (const log of [nginx.logs(), ...services.map((each) => each.output())])
    expect(log).not.toContain(token);
});

test('when an address is denied, then it is behind nginx too, and a forged header changes nothing', async () => {
  const six = (path: string, ...headers: string[]) =>
    sendRaw({
      host: '::1',
      port,
      data: [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'),
    });
  for (const path of ['/api/config', '/login', '/assets/app-1a2b.js'])
    expect((await six(path)).status).toBe(403);
  expect((await six('/api/config', 'X-Forwarded-For: 9.9.9.9')).status).toBe(403);
  expect(
    (await ask('/api/config', { headers: { 'x-forwarded-for': '::1', 'x-real-ip': '::1' } })).status,
  ).toBe(200);
  const asset = await ask('/assets/app-1a2b.js');
  for (const name of ['strict-transport-security', 'cross-origin-opener-policy'])
    expect((await ask('/login')).headers.has(name)).toBe(false);
  expect({ status: asset.status, cache: asset.headers.get('cache-control') }).toMatchObject({
    status: 200,
    cache: expect.stringContaining('immutable'),
  });
});

test('when one of two instances stops, then callers notice nothing', async () => {
  const [first] = services;
  const statuses = new Set<number>();
  let asking = true;
  const callers = Array.from({ length: 4 }, async () => {
    while (asking) {
      statuses.add((await ask('/api/server/list')).status);
      await sleep(50);
    }
  });
  await first?.stop();
  await first?.restart();
  asking = false;
  await Promise.all(callers);
  expect([...statuses]).toEqual([200]);
});

test('when all instances are restarted one right after another, then callers notice nothing', async () => {
  const failures: string[] = [];
  let asking = true;
  const check = { account: 'OldClient', token: md5('pwold') };
  const callers = Array.from({ length: 2 }, async () => {
    const client = clientFrom(url, '127.0.0.1');
    while (asking) {
      const { status, text } = await client.post('/api/check', check);
      if (status !== 200) failures.push(`${status} ${text}`);
      await sleep(30);
    }
  });
  for (let round = 0; round < 2; round++) for (const service of services) await service.restart();
  asking = false;
  await Promise.all(callers);
  expect(failures).toEqual([]);
});

test('when nginx refuses by itself, then in the uniform shape', async () => {
  const client = clientFrom(url, '127.0.0.1');
  const records = [{ server_id: 1, role: 'r', content: 'x'.repeat(300 * 1024) }];
  const large = await client.post('/api/report/chat', { records });
  expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large', status: 413 } });
  const malformed = await sendRaw({ port, data: 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n' });
  expect(malformed.status).toBe(400);
  expect(JSON.parse(malformed.body)).toMatchObject({ code: 'invalid_request' });
  for (const path of ['/api/config', '/login', '/assets/app-1a2b.js']) {
    let refused: Response | undefined;
    while (refused === undefined) {
      const flood = await Promise.all(Array.from({ length: 400 }, () => ask(path)));
      refused = flood.find(({ status }) => status === 429);
    }
    expect(await refused.json()).toMatchObject({ code: 'too_many_attempts', status: 429 });
  }

  await Promise.all(services.map((each) => each.kill()));
  // Until the flood has run off, nginx does not even try.
  await vi.waitFor(async () => {
    const unanswered = await client.post('/api/login', { account: 'OldClient', password: 'whatever' });
    expect(unanswered).toMatchObject({ status: 503, body: { code: 'unavailable', status: 503 } });
    expect(unanswered.headers.get('retry-after')).toBe('1');
  }, 10_000);
});
