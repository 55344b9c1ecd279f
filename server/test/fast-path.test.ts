import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Route, routes, Type } from '@gatehouse/contract';
import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { isWhole, type RawAnswer, sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { cachedBody } from '../src/http/cached-body.ts';
import { createFastPath, SUPPORTED_NODE } from '../src/http/fast-path/fast-path.ts';
import { mount } from '../src/http/mount.ts';
import type { PreRouterDeps } from '../src/http/pre-router.ts';
import { Refusal } from '../src/refusal.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const CHAT = '/api/report/chat';
const line = { server_id: 1, role: '战士', content: '大家好' };

interface Post {
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** Renders a POST with the right length and type unless the headers override them. */
function rawPost({ path, body, headers = {} }: Post): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({
    host: 'here',
    'content-type': 'application/json',
    ...(headers['transfer-encoding'] === undefined && { 'content-length': String(bytes.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

async function openService(settings = {}) {
  const file = join(tempDir('fast-path'), 'gatehouse.db');
  const app = await startTestApp(`sqlite:${file}`, { http: { fast_path: true }, ...settings });
  const rows = () => app.db.kysely.selectFrom('chat').select('id').execute();
  const log = () => readFileSync(join(app.folder, 'service.log'), 'utf8');
  return {
    ...app,
    file,
    port: Number(new URL(app.url).port),
    reported: async () => (await rows()).length,
    seenLeaving: () => expect.poll(log).toMatch(/"path":"\/api\/report\/chat","status":499.*"aborted":true/),
  };
}

/** Sends these bytes over a new connection. Resolves when the service has read them. */
async function sendPart(
  { get, port }: Pick<TestApp, 'get'> & { port: number },
  data: Buffer,
): Promise<Socket> {
  const caller = connect(port, '127.0.0.1');
  await new Promise((sent) => caller.write(data, sent));
  // Connections are read in the order they came.
  await get('/api/health/live');
  return caller;
}

/** Sends the same request through the fast path and, with a query, through the router. */
function bothWays(port: number, post: Post) {
  return Promise.all(
    [post.path, `${post.path}?x=1`].map(async (path) =>
      comparable(await sendRaw({ port, data: rawPost({ ...post, path }), until: isWhole })),
    ),
  );
}

/** Keeps the parts of an answer that do not differ from request to request. */
function comparable({ status, headers, body }: RawAnswer) {
  // After a body it could not read, the router closes the connection; the fast path has read all of it and keeps it open.
  const { 'x-request-id': id = '', date, connection: _, ...rest } = headers;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Date(date ?? '').getTime()).not.toBeNaN();
  return {
    status,
    headers: rest,
    body: body.replace(id, 'ID').replaceAll(/"(token|expires_at)":"[^"]+"/g, '"$1":"…"'),
  };
}

const cases: Record<string, Omit<Post, 'path'>> = {
  'a right one': { body: JSON.stringify(line) },
  'a batch': { body: JSON.stringify({ records: [line, line] }) },
  'with a charset': {
    body: JSON.stringify(line),
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  },
  'in English': { body: '{"server_id":"1"}', headers: { 'accept-language': 'en' } },
  'fields that do not fit': { body: JSON.stringify({ ...line, content: '', extra: 1 }) },
  'no JSON': { body: '{"server_id":' },
  'no object': { body: 'null' },
  'no UTF-8': { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
  'a hidden NUL': { body: '{"server_id":1,"role":"a\\u0000b","content":"c"}' },
  'half a surrogate': { body: '{"server_id":1,"role":"a","content":"\\ud800"}' },
  'a prototype': { body: '{"__proto__":{},"server_id":1,"role":"a","content":"c"}' },
  nothing: { body: '' },
  'too much': { body: JSON.stringify({ ...line, content: 'x'.repeat(256 * 1024) }) },
  'another type': { body: 'x', headers: { 'content-type': 'text/plain' } },
  'another charset': {
    body: JSON.stringify(line),
    headers: { 'content-type': 'application/json; charset=gbk' },
  },
  packed: { body: 'x', headers: { 'content-encoding': 'gzip' } },
  'a form': {
    body: 'server_id=1&role=r&content=c',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  'in chunks': { body: '2\r\n{}\r\n0\r\n\r\n', headers: { 'transfer-encoding': 'chunked' } },
  'the last on its connection': { body: JSON.stringify(line), headers: { connection: 'close' } },
  'a wrong one, the last on its connection': { body: '{}', headers: { connection: 'close' } },
};

test('when a request takes the fast path, then its answer equals the router’s', async () => {
  const { port } = await openService();
  for (const [name, post] of Object.entries(cases)) {
    const [fast, routed] = await bothWays(port, { path: CHAT, ...post });
    expect({ name, ...fast }).toEqual({ name, ...routed });
  }
});

test('when players log in and are checked, then the fast path answers like the router', async () => {
  const { port, register } = await openService();
  const { token } = await register('alice');
  const posts: Post[] = [
    { path: '/api/login', body: JSON.stringify({ account: 'alice', password: PASSWORD }) },
    { path: '/api/login', body: JSON.stringify({ account: 'alice', password: 'not-this-one-1' }) },
    { path: '/api/login', body: '{"account":"alice"}' },
    { path: '/api/check', body: JSON.stringify({ account: 'alice', token }) },
    { path: '/api/check', body: JSON.stringify({ account: '爱丽丝', token }) },
  ];
  for (const post of posts) {
    const [fast, routed] = await bothWays(port, post);
    expect({ post, ...fast }).toEqual({ post, ...routed });
  }
});

test('when players enter a zone, then the fast path answers like the router, and knows who they are', async () => {
  const { port, register, db, features } = await openService();
  const zone = { server_id: 1, name: '一区', address: 'one.example.com', port: 7000 };
  await db.kysely.insertInto('server').values(zone).execute();
  await expect.poll(() => features.zones.cache.all()).toHaveLength(1);
  const { token } = await register('alice');
  const bearer = { authorization: `Bearer ${token}` };
  const posts: Omit<Post, 'path'>[] = [
    { body: '{"server_id":1}', headers: bearer },
    { body: '{"server_id":1}' },
    { body: '{"server_id":1}', headers: { authorization: `Bearer ${token}x` } },
    { body: '{"server_id":2}', headers: bearer },
    { body: '{"server_id":"x"}', headers: bearer },
    { body: '{"server_id":1,"account":"bob"}', headers: bearer },
    { body: '{"server_id":', headers: bearer },
    { body: '{"server_id":' },
  ];
  const statuses: number[] = [];
  for (const post of posts) {
    // A player's route refuses a query; a type in quotes is left to the router.
    const types = ['application/json', 'application/json; charset="utf-8"'];
    const [fast, routed] = await Promise.all(
      types.map(async (type) => {
        const headers = { ...post.headers, 'content-type': type };
        const data = rawPost({ path: '/api/enter_game', ...post, headers });
        return comparable(await sendRaw({ port, data, until: isWhole }));
      }),
    );
    expect({ post, ...fast }).toEqual({ post, ...routed });
    statuses.push(fast?.status ?? 0);
  }
  expect(statuses).toEqual([200, 401, 401, 404, 400, 400, 400, 401]);
});

test('when a body arrives in small pieces, then it is reassembled, and a caller that disconnects in the middle is logged', async () => {
  const service = await openService();
  const { port, reported, seenLeaving } = service;
  const body = Buffer.from(JSON.stringify(line));
  const bytes = rawPost({ path: CHAT, body });
  // The head is sent in one piece: the service waits a few seconds for it, and a slow machine takes long for each piece.
  const crumbs = Array.from(body, (byte) => Buffer.from([byte]));
  const data = [bytes.subarray(0, -body.length), ...crumbs];
  const whole = await sendRaw({ port, data, pauseMs: 1, until: isWhole, deadlineMs: 60_000 });
  expect(whole.body).toBe('{"accepted":1}');

  const half = await sendPart(service, bytes.subarray(0, -5));
  expect(half.bytesRead).toBe(0);
  half.destroy();
  await seenLeaving();
  expect(await reported()).toBe(1);
});

test('when a caller disconnects before the answer, then the report is stored and the next one served', async () => {
  const service = await openService();
  const { port, file, http, reported, seenLeaving } = service;
  const other = new DatabaseSync(file);
  // A job of the service may hold the lock.
  await vi.waitFor(() => other.exec('BEGIN IMMEDIATE'), 40_000);
  const data = rawPost({ path: CHAT, body: JSON.stringify(line) });
  const connected = once(http.server, 'connection') as Promise<[Socket]>;
  const caller = await sendPart(service, data);
  const [served] = await connected;
  caller.destroy();
  await once(served, 'close');
  // Waits for it here, not until the log has it: the report waits a few seconds for the lock.
  other.exec('ROLLBACK');
  other.close();
  await seenLeaving();
  await expect.poll(reported).toBe(1);
  expect((await sendRaw({ port, data, until: isWhole })).body).toBe('{"accepted":1}');
});

test('when reports are pipelined, then each is stored, answered in order and counted', async () => {
  const { port, reported, from } = await openService();
  const report = (headers = {}) => rawPost({ path: CHAT, body: JSON.stringify(line), headers });
  // The router would close the connection after this one.
  const wrong = rawPost({ path: CHAT, body: '{"server_id":' });
  const list = Buffer.from('GET /api/server/list HTTP/1.1\r\nhost: here\r\n\r\n');
  const data = Buffer.concat([report(), wrong, report(), list, report({ connection: 'close' })]);
  const { raw, closed } = await sendRaw({ port, data });
  expect(closed).toBe(true);
  const statuses = [...raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '400', '200', '200', '200']);
  expect(raw).toMatch(/connection: close\r\n[^{]*\{"accepted":1\}$/i);
  expect(await reported()).toBe(3);

  const { text } = await from('127.0.0.1').get('/api/metrics');
  expect(text).toMatch(/seconds_count\{route="\/api\/report\/chat",method="POST",status="200"\} 3/);
  expect(text).toContain('gatehouse_refusals_total{code="invalid_request"} 1');
});

test('when an operator retires a path that may take the fast path, then it is gone', async () => {
  const { post } = await openService({ retired: { api: [CHAT] } });
  expect((await post(CHAT, line)).body.code).toBe('gone');
  expect((await post('/api/login', {})).body.code).toBe('invalid_request');
});

test('when the routes are listed, then exactly these may take the fast path', () => {
  const fast = Object.values<Route>(routes).filter(({ fastPath }) => fastPath);
  expect(fast.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'GET /api/config',
    'GET /api/server/list',
    'POST /api/check',
    'POST /api/enter_game',
    'POST /api/login',
    'POST /api/report/chat',
  ]);
});

test('when an operator’s route, a player’s GET or one with a query is declared fast, then it cannot be mounted', () => {
  const mounting = (route: Route) => () => {
    const app = Fastify();
    createFastPath(parts()).watchRoutes(app);
    mount(app, route, () => cachedBody('{}'));
  };
  expect(mounting(routes.config)).not.toThrow();
  for (const auth of ['operator', 'player'])
    expect(mounting({ ...routes.config, auth } as unknown as Route)).toThrow(
      'GET /api/config cannot take the fast path',
    );
  expect(mounting({ ...routes.config, query: Type.Object({}) })).toThrow('cannot take the fast path');
});

test('when Node is the pinned version, then the fast path knows its fields; on any other it is off and says so', () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  );
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([SUPPORTED_NODE]));

  const preRouter = { handlers: [] } as unknown as PreRouterDeps;
  const handlersWith = (changed: Partial<ReturnType<typeof parts>>) => {
    const log = { warn: vi.fn() };
    const { handlers } = createFastPath({ ...parts(), log, ...changed }).extend(preRouter);
    return { handlers: handlers.length, lines: log.warn.mock.calls.length };
  };
  expect(handlersWith({})).toEqual({ handlers: 1, lines: 0 });
  expect(handlersWith({ nodeVersion: '26.10.1' })).toEqual({ handlers: 0, lines: 1 });
  expect(handlersWith({ enabled: false })).toEqual({ handlers: 0, lines: 0 });
  expect(handlersWith({ enabled: false, nodeVersion: '26.10.1' })).toEqual({ handlers: 0, lines: 0 });
});

const parts = () => ({
  enabled: true,
  nodeVersion: SUPPORTED_NODE,
  log: { warn: () => {} },
  stopping: () => false,
  identifyPlayer: async () => Promise.reject(new Refusal('invalid_token')),
  refusalOf: () => new Refusal('internal'),
  countRefusal: () => {},
});

test('when the setting is off, then the router answers: it closes the connection after a body that is not JSON', async () => {
  const answered = async (fast_path: boolean) => {
    const { port } = await openService({ http: { fast_path } });
    const { status, headers } = await sendRaw({
      port,
      data: rawPost({ path: CHAT, body: '{' }),
      until: isWhole,
    });
    return { status, connection: headers.connection };
  };
  expect(await answered(true)).toEqual({ status: 400, connection: 'keep-alive' });
  expect(await answered(false)).toEqual({ status: 400, connection: 'close' });
});

test('when a client pipelines more than it reads, then it is disconnected at 1 MB, and others are served', async () => {
  const app = await startTestApp(freshSqlite(), {
    http: { fast_path: true },
  });
  const zone = { address: 'game.example.com', port: 7000 };
  const zones = Array.from({ length: 1000 }, (_, index) => ({
    ...zone,
    server_id: index + 1,
    name: `Zone ${index}`,
  }));
  await app.db.kysely.insertInto('server').values(zones).execute();
  await expect.poll(() => app.features.zones.cache.all().length).toBe(zones.length);
  const { text } = await app.get('/api/server/list');
  const most = Math.ceil((1024 * 1024) / text.length);
  const countOf = (raw: string) => raw.split('HTTP/1.1 200').length - 1;
  // The service reads them in one chunk and answers before the client can read anything.
  const { raw, closed } = await sendRaw({
    port: Number(new URL(app.url).port),
    data: 'GET /api/server/list HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(128),
    until: (received) => countOf(received) === 128,
  });
  expect(closed).toBe(true);
  expect(countOf(raw)).toBeLessThanOrEqual(most + 1);
  expect((await app.get('/api/server/list')).status).toBe(200);
});
