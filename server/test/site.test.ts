import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { startTestApp } from './support/test-app.ts';

test('when the agreement file changes, then the new text is served, and it may run nothing', async () => {
  const file = join(tempDir('agreement'), 'agreement.html');
  writeFileSync(file, '<h1>First</h1>');
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, { site: { agreement: file } });
  const first = await app.get('/api/misc/agree');
  expect(first.text).toBe('<h1>First</h1>');
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  writeFileSync(`${file}.new`, '<h1>第二版</h1>');
  renameSync(`${file}.new`, file);
  await vi.waitFor(
    async () => expect((await app.get('/api/misc/agree')).text).toBe('<h1>第二版</h1>'),
    10_000,
  );
});

test('when the configuration is asked for, then it tells what browsers need and nothing secret', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, {
    game: { name: '传奇' },
    withdraw: { min: 10, max: 500, step: 10, daily_max: 1000, rate: 0.5, currency: '元宝' },
    zones: { database_url: 'mysql://game:game-password@10.9.9.9:3306' },
    forum: {
      enabled: true,
      name: '论坛',
      client_id: 'gh',
      client_secret: 'forum-secret',
      issuer: 'http://127.0.0.1:9',
    },
  });
  const { body, text } = await app.get('/api/config');
  expect(body).toEqual({
    game: { name: '传奇' },
    registration: { open: true, code_ttl: 60 },
    withdraw: { enabled: true, currency: '元宝', min: 10, max: 500, step: 10, daily_max: 1000, rate: 0.5 },
    forum: { enabled: true, providers: [{ id: 'forum', name: '论坛' }] },
    client: { url: 'http://localhost:3001/playground/client/', handoff: 'iframe' },
  });
  expect(text).not.toMatch(/secret|password|10\.9\.9\.9/);
});

test('when a password manager looks for where to change the password, then it is led to the account page', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`);
  const { status, headers } = await app.get('/.well-known/change-password');
  expect([status, headers.get('location')]).toEqual([302, '/account']);
});

test('when retired entry points are called directly, then 410, 301 or 404, counted', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, {
    public_url: 'https://play.example.com',
  });
  for (const path of ['/api', '/api/', '/api.php', '/callback.php', '/server.php']) {
    expect({ path, code: (await app.get(path)).body.code }).toEqual({ path, code: 'gone' });
    expect((await app.form(path, { do: 'x' })).status).toBe(410);
  }
  const moved = await app.get('/login.php?agent_id=7&do=microClient');
  expect({ status: moved.status, to: moved.headers.get('location') }).toEqual({
    status: 301,
    to: 'https://play.example.com/login?agent_id=7',
  });
  for (const path of ['/anything.php', '/a%2ephp', '/x.php/y', '/A.PHP'])
    expect((await app.get(path)).body.code).toBe('not_found');
  const metrics = (await app.from('127.0.0.1').get('/api/metrics')).text;
  expect(metrics).toContain('gatehouse_retired_hits_total{entry="api"} 6');
  expect(metrics).toContain('gatehouse_retired_hits_total{entry="login"} 1');
  expect((await app.get('/api/metrics')).body.code).toBe('caller_not_allowed');
  expect(readFileSync(join(app.folder, 'service.log'), 'utf8')).not.toContain('microClient');
});

test('when an operator retires a path whose answer is cached, then it is gone', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`, {
    retired: { server_list: ['/api/server/list'] },
  });
  expect((await app.get('/api/server/list')).body.code).toBe('gone');
  expect((await app.get('/api/config')).status).toBe(200);
});

test('when an unknown page is requested, then a browser gets the front end; a program gets the problem', async () => {
  const app = await startTestApp(`sqlite:${tempDir('site')}/gatehouse.db`);
  const get = (path: string, accept: string) => fetch(app.url + path, { headers: { accept } });
  const page = await get('/no/such/page', 'text/html,*/*');
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    status: 404,
    type: 'text/html; charset=utf-8',
  });
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  for (const [path, accept] of [
    ['/no/such/page', '*/*'],
    ['/api/nothing', 'text/html'],
  ] as const) {
    const problem = await get(path, accept);
    expect({ status: problem.status, code: ((await problem.json()) as { code: string }).code }).toEqual({
      status: 404,
      code: 'not_found',
    });
  }
  for (const path of ['/', '/index.html', '/login']) {
    const { status, headers } = await get(path, 'text/html');
    expect({ path, status, frames: headers.get('content-security-policy') }).toMatchObject({
      status: 200,
      frames: expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(headers.get('cache-control')).toBe('no-cache');
  }
});
