import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { type Nginx, startNginx } from '../../test-support/nginx.ts';
import { siteConfiguration } from '../../test-support/nginx-site.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { type Db, openDatabase } from '../src/db/open.ts';

let service: Gatehouse;
let nginx: Nginx;
let db: Db;
let port: number;

beforeAll(async () => {
  port = await freePort();
  const url = freshSqlite();
  service = await startGatehouse({
    settings: { database: { url }, trust_proxy: ['127.0.0.1'], deny_ip: ['::1'] },
  });
  db = await openDatabase(url);
  const listen = [`127.0.0.1:${port}`, `[::1]:${port}`];
  nginx = await startNginx({
    conf: siteConfiguration({ listen, backends: [service.port], root: tempDir('nginx-root') }),
  });
});

afterAll(async () => {
  await nginx?.stop();
  await db?.close();
  await service?.stop();
});

const ask = (path: string, headers: Record<string, string> = {}, host = '127.0.0.1') =>
  fetch(`http://${host}:${port}${path}`, { headers });

/** Returns how many requests for a path have reached the service, once its log has the one with this id. */
async function reached(path: string, id: string | null): Promise<number> {
  const lines = () => service.logs().filter((line) => String(line.path ?? line.url).startsWith(path));
  await expect.poll(() => JSON.stringify(lines())).toContain(id);
  return lines().length;
}

test('when many request the zones concurrently, then the service gets a few requests, and every answer has its own id', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/api/server/list')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(100);
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  const last = await ask('/api/server/list', { authorization: 'Bearer x' });
  expect(await reached('/api/server/list', last.headers.get('x-request-id'))).toBeLessThan(60);
});

test('when the zones change, then callers see it within seconds, and a matching ETag is answered 304', async () => {
  const etag = (await ask('/api/server/list')).headers.get('etag') ?? '';
  expect((await ask('/api/server/list', { 'if-none-match': etag })).status).toBe(304);
  await db.kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'New zone', address: '10.0.0.1', port: 1 })
    .execute();
  await expect.poll(async () => (await ask('/api/server/list')).text()).toContain('New zone');
  const changed = await ask('/api/server/list', { 'if-none-match': etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

test('when requests alternate between two languages, then each gets its own', async () => {
  const direct = (language: string) =>
    fetch(`${service.url}/api/misc/agree`, { headers: { 'accept-language': language } });
  const expected = await Promise.all(['zh-CN', 'en'].map(async (each) => (await direct(each)).text()));
  for (let round = 0; round < 3; round++)
    for (const [index, language] of ['zh-CN', 'en'].entries()) {
      const answer = await ask('/api/misc/agree', { 'accept-language': language });
      expect(await answer.text()).toBe(expected[index]);
      expect(answer.headers.get('vary')).toContain('accept-language');
    }
});

test('when a request has a token or a cookie, then it reaches the service, and its answer is not cached for others', async () => {
  for (const headers of [{ authorization: 'Bearer x' }, { cookie: 'a=b' }]) {
    const first = await ask('/api/config', headers);
    const before = await reached('/api/config', first.headers.get('x-request-id'));
    const second = await ask('/api/config', headers);
    expect(await reached('/api/config', second.headers.get('x-request-id'))).toBe(before + 1);
  }
});

test('when an address is denied, then it is refused what others get from the cache', async () => {
  for (const path of ['/api/server/list', '/api/config', '/login']) {
    await ask(path);
    const answer = await ask(path, {}, '[::1]');
    expect({ path, status: answer.status }).toEqual({ path, status: 403 });
    expect(await answer.json()).toMatchObject({ code: 'address_denied' });
  }
});

test('when a refusal or another method is answered, then it is not cached', async () => {
  const missing = await ask('/api/news/999999');
  expect(missing.status).toBe(404);
  const before = await reached('/api/news/999999', missing.headers.get('x-request-id'));
  const again = await ask('/api/news/999999');
  expect(await reached('/api/news/999999', again.headers.get('x-request-id'))).toBe(before + 1);
  const posted = await fetch(`http://127.0.0.1:${port}/api/config`, { method: 'POST' });
  expect(posted.status).toBeGreaterThanOrEqual(400);
});

test('when the service is down, then the refusal has its uniform shape', async () => {
  await service.stop();
  await expect.poll(async () => (await ask('/api/server/list')).status).toBe(503);
  expect(await (await ask('/api/server/list')).json()).toMatchObject({ code: 'unavailable', status: 503 });
  await service.restart();
});
