import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { startTestApp } from './support/test-app.ts';

test('when the agreement file changes, then the new text is served, and it cannot run scripts', async () => {
  const file = join(tempDir('agreement'), 'agreement.html');
  writeFileSync(file, '<h1>First</h1>');
  const app = await startTestApp(freshSqlite(), { site: { agreement: file } });
  const first = await app.get('/api/misc/agree');
  expect(first.text).toBe('<h1>First</h1>');
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  writeFileSync(`${file}.new`, '<h1>第二版</h1>');
  renameSync(`${file}.new`, file);
  await expect.poll(async () => (await app.get('/api/misc/agree')).text).toBe('<h1>第二版</h1>');
});

test('when the configuration is requested, then it has what browsers need and nothing secret', async () => {
  const app = await startTestApp(freshSqlite(), {
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
    site: { title: '传奇' },
  });
  expect(text).not.toMatch(/secret|password|10\.9\.9\.9/);
});

test('when a password manager looks for the page to change the password, then it is redirected to the account page', async () => {
  const app = await startTestApp(freshSqlite());
  const { status, headers } = await app.get('/.well-known/change-password');
  expect([status, headers.get('location')]).toEqual([302, '/account']);
});

test('when retired entry points are called directly, then the answers are 410, 301 or 404, and are counted', async () => {
  const app = await startTestApp(freshSqlite(), {
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
  const app = await startTestApp(freshSqlite(), {
    retired: { server_list: ['/api/server/list'] },
  });
  expect((await app.get('/api/server/list')).body.code).toBe('gone');
  expect((await app.get('/api/config')).status).toBe(200);
});

test('when an unknown page is requested, then a browser gets the front end; a program gets the problem', async () => {
  const app = await startTestApp(freshSqlite());
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

test('when a page is requested, then it is compressed as the caller accepts, in its language, with what the page needs', async () => {
  const app = await startTestApp(freshSqlite(), {
    game: { name: 'Q&A "传奇" <1>' },
    site: { support: 'help@example.com', privacy: '/privacy' },
  });
  const get = (path: string, headers: Record<string, string>) => fetch(app.url + path, { headers });
  for (const [accepted, used] of [
    ['gzip, br', 'br'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, identity', null],
  ] as const) {
    const { headers } = await get('/login', { 'accept-encoding': accepted });
    expect({ accepted, used: headers.get('content-encoding') }).toEqual({ accepted, used });
    expect(headers.get('vary')).toBe('accept-language, accept-encoding');
  }
  const page = await get('/login', { 'accept-language': 'en-GB' });
  const html = await page.text();
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('<title>Q&amp;A &quot;传奇&quot; &lt;1&gt;</title>');
  expect(html).toMatch(/<link rel="modulepreload" crossorigin href="\/assets\/en-[^"]+\.js">/);
  const facts = /<meta name="gatehouse" content="([^"]*)">/.exec(html)?.[1] ?? '';
  const { config, password } = JSON.parse(
    facts.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
  expect(password).toEqual({ min: 8, max: 72 });
  const title = 'Q&A "传奇" <1>';
  expect(config.site).toEqual({ title, support: 'help@example.com', privacy: '/privacy' });
  expect((await app.get('/api/config')).body.site).toEqual(config.site);
  const again = await get('/login', {
    'accept-language': 'en-GB',
    'if-none-match': page.headers.get('etag') ?? '',
  });
  expect(again.status).toBe(304);

  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const asset = await get(script, { 'accept-encoding': 'br' });
  expect(asset.headers.get('content-encoding')).toBe('br');
  expect(asset.headers.get('content-type')).toMatch(/javascript/);
  expect(asset.headers.get('cache-control')).toMatch(/max-age=31536000, immutable/);
});

test('when an English agreement exists next to the other, then English readers get it', async () => {
  const file = join(tempDir('agreement'), 'terms.html');
  writeFileSync(file, '<h1>条款</h1>');
  const app = await startTestApp(freshSqlite(), { site: { agreement: file } });
  const read = async (query: string) => (await app.get(`/api/misc/agree${query}`)).text;
  expect(await read('?language=en&v=2')).toBe('<h1>条款</h1>');
  writeFileSync(file.replace('terms', 'terms.en'), '<h1>Terms</h1>');
  await expect.poll(() => read('?language=en')).toBe('<h1>Terms</h1>');
  expect(await read('?language=zh-CN')).toBe('<h1>条款</h1>');
});
