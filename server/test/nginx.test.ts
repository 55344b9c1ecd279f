import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAuthority } from '../../test-support/certificates.ts';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { type Nginx, startNginx } from '../../test-support/nginx.ts';
import { siteConfiguration } from '../../test-support/nginx-site.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { openDatabase } from '../src/db/open.ts';
import { clientFrom } from './support/client.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

let services: Gatehouse[];
let nginx: Nginx;
let url: string;
let port: number;
let root: string;

/** An operator's configuration, with one game server. */
const configuration = (listen = [`127.0.0.1:${port}`, `[::1]:${port}`]) =>
  // Debian's own part of the configuration includes the types.
  `types { text/html html; application/javascript js; }\n${siteConfiguration({
    listen,
    backends: services.map((each) => each.port),
    root,
    gameServers: [GAME_SERVER],
  })}`;
/** Another address of this machine. */
const GAME_SERVER = '127.0.0.9';

beforeAll(async () => {
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const database = { url: freshSqlite() };
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
  root = tempDir('nginx-root');
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'assets/app-1a2b.js'), 'export {};'.repeat(500));
  nginx = await startNginx({ conf: configuration() });
});

afterAll(async () => {
  await nginx?.stop();
  await Promise.all((services ?? []).map((each) => each.stop()));
});

/** Returns the status of a request from the game server's address. */
const askAsGameServer = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = { host: '127.0.0.1', port, path, localAddress: GAME_SERVER };
    getPlain(request, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on(
      'error',
      reject,
    );
  });

const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });

/** Sends 480 requests at once, pipelined, which costs little. Returns the body of one that the limit refused. */
async function flood(path: string): Promise<string | undefined> {
  const data = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(60);
  const bodyOf = (raw: string) => /HTTP\/1\.1 429 [\s\S]*?\r\n\r\n(\{[^}]*\})/.exec(raw)?.[1];
  const isOver = (raw: string) =>
    bodyOf(raw) !== undefined || raw.matchAll(/HTTP\/1\.1 \d/g).toArray().length === 60;
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendRaw({ port, data, until: isOver })));
  return answers.map(({ raw }) => bodyOf(raw)).find((body) => body !== undefined);
}

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

test('when TLS and the line for retired pages are enabled as the file says, then nginx accepts both', async () => {
  const { cert, key } = createAuthority().issue('play');
  const tlsPort = await freePort();
  const plain = configuration([`127.0.0.1:${tlsPort} tls`]);
  const words = /CHANGE for TLS: "listen 443 (ssl[^;"]*);/.exec(plain)?.[1];
  const conf = plain
    .replace(`${tlsPort} tls;`, `${tlsPort} ${words};`)
    .replace(/# (ssl_certificate +)[^;]+/, `$1${cert}`)
    .replace(/# (ssl_certificate_key +)[^;]+/, `$1${key}`)
    .replace(/# (ssl_protocols)/, '$1')
    .replace(/# ("~\^\/\(api\|callback[^\n]*)/, '$1');
  const other = await startNginx({ conf });
  const answerTo = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { rejectUnauthorized: false, agent: false };
      get(`https://127.0.0.1:${tlsPort}${path}`, options, (answer) =>
        answer.resume().on('end', () => resolve(answer)),
      ).on('error', reject);
    });
  const paths = ['/api.php', '/callback.php', '/server.php', '/login.php', '/other.php', '/api.php/x'];
  const answers = await Promise.all(paths.map(answerTo));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([410, 410, 410, 301, 404, 404]);
  expect(new Set(answers.map(({ headers }) => headers['strict-transport-security']))).toEqual(
    new Set(['max-age=31536000']),
  );
  await other.stop();
});

test('when a browser accepts compression, then pages and assets are compressed, and answers of the API are not', async () => {
  const encoding = async (path: string) =>
    (await ask(path, { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding');
  expect(await encoding('/assets/app-1a2b.js')).toBe('gzip');
  expect(await encoding('/api/server/list')).toBeNull();
});

test('when the old API entry is called, then it is gone', async () => {
  expect((await ask('/api')).status).toBe(410);
  expect((await ask('/api/')).status).toBe(410);
  expect((await ask('/api?do=login', { method: 'POST', body: 'x=1' })).status).toBe(410);
});

test('when an old game client calls, then its md5 token is accepted in every form and appears in no log', async () => {
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

test('when an address is denied, then it is denied behind nginx too, and a forged header changes nothing', async () => {
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

test('when one of two instances stops, then no request fails', async () => {
  const [first] = services;
  const statuses = new Set<number>();
  let asking = true;
  const callers = Array.from({ length: 4 }, async () => {
    while (asking) {
      statuses.add((await ask('/api/account')).status);
      await sleep(50);
    }
  });
  await first?.stop();
  await first?.restart();
  asking = false;
  await Promise.all(callers);
  expect([...statuses]).toEqual([401]);
});

test('when all instances are restarted one right after another, then no request fails', async () => {
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
  // The cluster run repeats this many times.
  for (const service of services) await service.restart();
  asking = false;
  await Promise.all(callers);
  expect(failures).toEqual([]);
});

test('when a request passes nginx, then both logs and the answer have the same id, which the client cannot choose', async () => {
  const chosen = 'chosen-by-the-client';
  const answer = await ask('/api/account', { headers: { 'x-request-id': chosen } });
  const id = answer.headers.get('x-request-id');
  expect(id).not.toBe(chosen);
  await expect.poll(() => nginx.logs()).toContain(` id=${id} `);
  await expect
    .poll(() => services.flatMap((each) => each.logs()).map((line) => line.request_id))
    .toContain(id);
});

test('when a request passes nginx, then both logs have its trace: the caller’s, or a new one with the id of the request', async () => {
  const sent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traceOf = async (headers: Record<string, string>) => {
    const id = (await ask('/api/account', { headers })).headers.get('x-request-id');
    const line = () => services.flatMap((each) => each.logs()).find(({ request_id }) => request_id === id);
    await expect.poll(line).toBeDefined();
    await expect.poll(() => nginx.logs()).toContain(` id=${id} trace=${line()?.traceparent} `);
    return { id, traceparent: line()?.traceparent };
  };
  expect(await traceOf({ traceparent: sent })).toMatchObject({ traceparent: sent });
  for (const headers of [{}, { traceparent: 'junk' }]) {
    const { id, traceparent } = await traceOf(headers as Record<string, string>);
    expect(traceparent).toBe(`00-${id}-${id?.slice(0, 16)}-00`);
  }
});

test('when requests come from many addresses of one IPv6 /64, then nginx counts them together', async () => {
  const limits = configuration().match(/^geo [\s\S]*?limit_req_status 429;$/m)?.[0];
  const own = await freePort();
  const counting = await startNginx({
    conf: `${limits}
      limit_req_zone $gatehouse_limit_key zone=once:1m rate=1r/m;
      server {
        listen 127.0.0.1:${own};
        set_real_ip_from 127.0.0.1;
        real_ip_header X-Client;
        location / { limit_req zone=once; try_files /none =404; }
      }`,
  });
  const statuses: number[] = [];
  for (const client of [
    '2001:db8:0:a0a::1',
    '2001:db8:0:a0a:ffff::2',
    '2001:db8:0:a0b::1',
    '192.0.2.1',
    '192.0.2.2',
  ])
    statuses.push((await fetch(`http://127.0.0.1:${own}/`, { headers: { 'x-client': client } })).status);
  await counting.stop();
  expect(statuses).toEqual([404, 429, 404, 404, 404]);
});

test('when nginx itself refuses, then the refusal has the uniform shape', async () => {
  const client = clientFrom(url, '127.0.0.1');
  const records = [{ server_id: 1, role: 'r', content: 'x'.repeat(300 * 1024) }];
  const large = await client.post('/api/report/chat', { records });
  expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large', status: 413 } });
  const malformed = await sendRaw({ port, data: 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n' });
  expect(malformed.status).toBe(400);
  expect(JSON.parse(malformed.body)).toMatchObject({ code: 'invalid_request' });
  const token = md5('pwold');
  const check = `/api/check?account=OldClient&token=${token}`;
  for (const path of [check, '/login', '/assets/app-1a2b.js']) {
    let refused: string | undefined;
    while (refused === undefined) refused = await flood(path);
    expect(JSON.parse(refused)).toMatchObject({ code: 'too_many_attempts', status: 429 });
  }
  // A game server requests all of its players and is not limited.
  const statuses = await Promise.all(Array.from({ length: 400 }, () => askAsGameServer(check)));
  expect(new Set(statuses)).toEqual(new Set([200]));

  await Promise.all(services.map((each) => each.kill()));
  // Until the limit recovers, nginx does not forward requests.
  await vi.waitFor(async () => {
    const unanswered = await client.post('/api/login', { account: 'OldClient', password: 'whatever' });
    expect(unanswered).toMatchObject({ status: 503, body: { code: 'unavailable', status: 503 } });
    expect(unanswered.headers.get('retry-after')).toBe('1');
  }, 40_000);
  expect((await ask(check)).status).toBe(503);

  for (const [language, title] of [
    ['zh-CN,zh;q=0.9', '马上回来'],
    ['en-GB', 'Back in a moment'],
  ]) {
    const headers = { accept: 'text/html,application/xhtml+xml', 'accept-language': language ?? '' };
    const page = await ask('/login?x=1', { headers });
    expect(page.status).toBe(503);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain(`<h1>${title}</h1>`);
    expect((await ask('/api/config', { headers })).headers.get('content-type')).toContain('problem+json');
  }

  // Both kinds of refusal were logged, and no line contains the query.
  const written = (line: RegExp) => expect.poll(() => line.test(nginx.logs())).toBe(true);
  await written(/"GET \/api\/check" 429 .* limit=REJECTED/);
  await written(/"GET \/api\/check" 503 .* upstream=.*\/502/);
  await written(/"POST \/api\/login" 503 /);
  for (const log of [nginx.logs(), ...services.map((each) => each.output())]) {
    expect(log.includes(token)).toBe(false);
    expect(log.includes('?')).toBe(false);
  }
});
