import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWhole, sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

async function openService(settings = {}) {
  const app = await startTestApp(freshSqlite(), settings);
  const port = Number(new URL(app.url).port);
  return {
    ...app,
    raw: (data: string, until = isWhole) => sendRaw({ port, data, until }),
    log: () => readFileSync(join(app.folder, 'service.log'), 'utf8'),
  };
}

const request = (...lines: string[]) => [...lines, 'Host: x', '', ''].join('\r\n');
const withBody = (method: string, path: string, type: string, body: string) =>
  `${request(`${method} ${path} HTTP/1.1`, `Content-Type: ${type}`, `Content-Length: ${body.length}`)}${body}`;

test('when a request names a type and has no body, then it is answered immediately', async () => {
  const { raw } = await openService();
  const cases: [line: string, type: string, status: number][] = [
    ['POST /api/login', 'application/json', 400],
    ['POST /api/check', 'application/x-www-form-urlencoded', 400],
    ['POST /api/report/chat', 'application/json', 400],
    ['POST /api/send_code', 'application/json', 400],
    ['POST /api/enter_game', 'application/json', 401],
    ['PUT /api/login', 'application/json', 405],
    ['POST /api/config', 'application/json', 405],
    ['POST /api/nothing', 'application/json', 404],
  ];
  for (const [line, type, status] of cases) {
    const answer = await raw(request(`${line} HTTP/1.1`, `Content-Type: ${type}`));
    expect({ line, status: answer.status }).toEqual({ line, status });
  }
});

test('when path or method are wrong, then that is answered, even if the body is wrong too', async () => {
  const { raw } = await openService();
  const bodies: [type: string, body: string][] = [
    ['application/x-www-form-urlencoded', 'a=b'],
    ['application/json', '{'],
    ['application/json', ''],
    ['text/plain', 'x'],
  ];
  for (const [type, body] of bodies) {
    const list = await raw(withBody('POST', '/api/server/list', type, body));
    expect(list).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect((await raw(withBody('PUT', '/api/login', type, body))).status).toBe(405);
    expect((await raw(withBody('POST', '/api/nothing', type, body))).status).toBe(404);
  }
});

test('when many fields are wrong, then the known ones are still named', async () => {
  const { post } = await openService();
  const unknown = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, 1]));
  const { status, body } = await post('/api/login', { ...unknown, account: 5 });
  const named = body.errors.map((each: { field: string }) => each.field);
  expect(status).toBe(400);
  expect(named).toEqual(expect.arrayContaining(['account', 'password', 'f0', 'f14']));

  const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, 1]));
  expect((await post('/api/login', flood)).body.errors).toHaveLength(20);
});

test('when a request has an Expect header, then the pre-router handles it like all others', async () => {
  const { raw, log } = await openService({ deny_ip: ['203.0.113.7'] });
  const from = (address: string) =>
    raw(request('GET /api/config HTTP/1.1', 'Expect: wonders', `X-Forwarded-For: ${address}`));
  expect((await from('203.0.113.8')).status).toBe(400);
  const denied = await from('203.0.113.7');
  expect(denied.status).toBe(403);
  await expect.poll(log).toContain(`"request_id":"${denied.headers['x-request-id']}"`);
});

test('when nonsense follows a request on its connection, then both are answered, in order', async () => {
  const { raw, log } = await openService();
  const report = withBody(
    'POST',
    '/api/report/chat',
    'application/json',
    '{"server_id":1,"role":"r","content":"c"}',
  );
  const both = (text: string) => (text.match(/HTTP\/1\.1/g)?.length ?? 0) > 1 && text.endsWith('}');
  for (const first of [report, request('GET /api/nothing HTTP/1.1'), request('GET /api/config HTTP/1.1')]) {
    const answer = await raw(`${first}nonsense\r\n\r\n`, both);
    const [, expected = ''] = /^HTTP\/1\.1 (\d+)/.exec((await raw(first)).raw) ?? [];
    expect([...answer.raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      expected,
      '400',
    ]);
  }
  await expect.poll(log).toMatch(/"request_id":"[0-9a-f-]{36}","msg":"malformed request"/);
});

test('when a client requests a CONNECT tunnel, then it is refused', async () => {
  const { raw } = await openService();
  expect(await raw(request('CONNECT example.com:443 HTTP/1.1'))).toMatchObject({
    status: 400,
    closed: false,
  });
});

test('when a promoter’s link is malformed, then registration still works', async () => {
  const app = await openService();
  for (const [index, query] of ['agent_id=%zz', 'agent_id=%c4%e3', 'agent_id=7&utm=%zz'].entries()) {
    const account = `player_${index}`;
    const email = `${account}@example.com`;
    const form = { account, password: PASSWORD, email, code: await app.code(email) };
    expect((await app.from(`198.19.0.${index}`).post(`/api/register?${query}`, form)).status).toBe(201);
  }
});

test('when a form’s content type is in capitals, then it is a form', async () => {
  const { raw } = await openService();
  const form = withBody(
    'POST',
    '/api/report/chat',
    'Application/X-WWW-Form-Urlencoded',
    'server_id=1&role=r&content=c',
  );
  expect((await raw(form)).body).toBe('{"accepted":1}');
});

test('when only game servers may call, then strangers are refused before their body is read', async () => {
  const app = await openService({ chat: { from: 'game_servers' } });
  const stranger = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  for (const [type, body] of [
    ['application/json', '{'],
    ['application/json', '{"x":1}'],
    ['text/plain', 'x'],
  ] as const) {
    for (const path of ['/api/bind_account', '/api/report/chat']) {
      const head = { 'content-type': type, ...stranger.headers };
      const answer = await fetch(app.url + path, { method: 'POST', headers: head, body });
      expect({ path, type, status: answer.status }).toEqual({ path, type, status: 403 });
    }
  }
});

test('when the last character of a token is changed in any way, then the token is invalid', async () => {
  const { register, post } = await openService();
  const { token } = await register('alice');
  const check = async (presented: string) =>
    (await post('/api/check', { account: 'alice', token: presented })).status;
  expect(await check(token)).toBe(200);
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.replace(
    token.at(-1) ?? '',
    '',
  );
  const answers = await Promise.all([...others].map((last) => check(token.slice(0, -1) + last)));
  expect(new Set(answers)).toEqual(new Set([401]));
});

test('when a path or a query is long, then the log has 512 characters of it', async () => {
  const app = await startTestApp(freshSqlite());
  const { status, headers } = await app.get(`/api/${'p'.repeat(5000)}?${'q'.repeat(2000)}=1`);
  expect(status).toBe(404);
  const line = () =>
    readFileSync(join(app.folder, 'service.log'), 'utf8')
      .split('\n')
      .find((each) => each.includes(`"request_id":"${headers.get('x-request-id')}"`));
  await expect.poll(line).toBeDefined();
  const { path, query } = JSON.parse(line() ?? '') as { path: string; query: string };
  expect([path.slice(0, 6), path.length, query.length]).toEqual(['/api/p', 513, 513]);
});

test('when a path has a token in it, then the log has only a placeholder', async () => {
  const app = await openService();
  await app.get('/my.eyJhbGciOiJIUzI1NiJ9.e30.c2ln/x');
  await expect.poll(app.log).toContain('"path":"/my.…/x"');
});

test('when unknown fields have long names, then the answer repeats only their beginnings', async () => {
  const app = await openService();
  const body = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`${i}${'x'.repeat(4000)}`, 1]));
  const answer = await app.post('/api/login', { account: 'a', password: 'b', ...body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const fields: string[] = answer.body.errors.map(({ field }: { field: string }) => field);
  expect(fields).toHaveLength(15);
  expect(fields[0]).toBe(`0${'x'.repeat(63)}…`);
  expect(JSON.stringify(answer.body).length).toBeLessThan(4000);
});

test('when a player reads bindings or withdrawals, then no cache stores the answer', async () => {
  const app = await openService();
  const { token } = await app.register('Alice');
  for (const path of ['/api/bind', '/api/game/withdrawals']) {
    const { status, headers } = await app.get(path, { token });
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
  }
});
