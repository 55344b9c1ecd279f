import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole, sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { startTestApp } from './support/test-app.ts';

const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');

describe('malformed and unknown requests', () => {
  test('when a request is malformed in any way, then the refusal is uniform and the next request is served', async () => {
    const app = await startTestApp(freshSqlite());
    const port = Number(new URL(app.url).port);
    const post = 'POST /api/login HTTP/1.1';
    const host = 'Host: x\r\nConnection: close';
    const json = 'Content-Type: application/json';
    const cases: [string, string | Buffer][] = [
      ['no HTTP at all', 'hello\r\n\r\n'],
      ['a bad method', head('FOO /api/login HTTP/1.1', host)],
      ['a bad URL', head('GET /%zz HTTP/1.1', host)],
      ['a NUL in the query', head('GET /api/check?account=%00&token=x HTTP/1.1', host)],
      ['bad percent signs in the query', head('GET /api/check?account=%ff&token=x HTTP/1.1', host)],
      [
        'both lengths',
        `${head(post, host, json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      ],
      ['two lengths', `${head(post, host, json, 'Content-Length: 2', 'Content-Length: 3')}{}`],
      [
        '3,000 headers',
        head('GET /api/config HTTP/1.1', host, ...Array.from({ length: 3000 }, (_, i) => `h${i}: 1`)),
      ],
      [
        '200 small headers',
        head('GET /api/config HTTP/1.1', host, ...Array.from({ length: 200 }, (_, i) => `h${i}: 1`)),
      ],
      ['one huge header', head('GET /api/config HTTP/1.1', host, `big: ${'x'.repeat(20_000)}`)],
      ['no Host', head('GET /api/config HTTP/1.1')],
      ['two Hosts', head('GET /api/config HTTP/1.1', host, 'HOST: y')],
      ['two Hosts in the old version', head('GET /api/config HTTP/1.0', 'host: x', 'host: x')],
      ['an expectation', head(post, host, json, 'Content-Length: 2', 'Expect: the-unexpected')],
      [
        'text that is not UTF-8',
        Buffer.concat([
          Buffer.from(head(post, host, json, 'Content-Length: 4')),
          Buffer.from([0x22, 0xff, 0xfe, 0x22]),
        ]),
      ],
      ['broken JSON', `${head(post, host, json, 'Content-Length: 3')}{"a`],
      [
        'a lone surrogate',
        `${head(post, host, json, 'Content-Length: 41')}{"account":"\\ud800","password":"xxxxxxxx"}`,
      ],
    ];
    for (const [name, data] of cases) {
      const answer = await sendRaw({ port, data, until: isWhole });
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
      const problem = JSON.parse(answer.body);
      expect({ name, ...problem }).toMatchObject({
        name,
        status: 400,
        code: 'invalid_request',
        title: expect.any(String),
      });
      expect(problem.request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect((await app.get('/api/health/live')).status).toBe(200);
    }
  });

  test('when a body is too large, deep, of the wrong type or encoding, then it is refused with that reason', async () => {
    const app = await startTestApp(freshSqlite());
    const json = { 'content-type': 'application/json' };
    const send = (body: string, headers: Record<string, string> = json) =>
      app.send('POST', '/api/login', { body, headers });
    expect((await send(`"${'x'.repeat(65 * 1024)}"`)).body.code).toBe('payload_too_large');
    expect(
      (await send(`"${'x'.repeat(10 * 1024 * 1024)}"`).catch(() => ({ body: { code: 'payload_too_large' } })))
        .body.code,
    ).toBe('payload_too_large');
    expect((await send('['.repeat(10_000) + ']'.repeat(10_000))).body.code).toBe('invalid_request');
    expect((await send(`${'{"account":'.repeat(5000)}1${'}'.repeat(5000)}`)).body.code).toBe(
      'invalid_request',
    );
    expect((await send('{"account":"a","password":"b","__proto__":{"x":1}}')).body.errors[0].field).toBe(
      '__proto__',
    );
    expect((await send('{}', { 'content-type': 'text/plain' })).body.code).toBe('unsupported_media_type');
    expect((await send('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).body.code).toBe(
      'unsupported_media_type',
    );
    expect((await send('{}', { 'content-type': 'application/json; charset=gbk' })).body.code).toBe(
      'unsupported_media_type',
    );
    expect((await send('{}', { ...json, 'content-encoding': 'gzip' })).body.code).toBe(
      'unsupported_media_type',
    );
    expect((await send('')).body.code).toBe('invalid_request');
    expect((await send('{"account":7,"password":["x"]}')).body.errors).toHaveLength(2);
  });

  test('when path or method are unknown, then the answer is 404, or 405 with the allowed methods', async () => {
    const app = await startTestApp(freshSqlite());
    expect((await app.get('/api/nothing')).body.code).toBe('not_found');
    expect((await app.get('/API/login')).body.code).toBe('not_found');
    const wrong = await app.send('DELETE', '/api/check');
    expect(wrong.body.code).toBe('method_not_allowed');
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect((await app.send('PUT', '/api/bind/forum')).headers.get('allow')).toBe('DELETE');
    expect(
      (await app.get('/api/login', { headers: { 'accept-language': 'zh-CN,zh;q=0.9' } })).body.title,
    ).toBe('请求方法不允许');
  });

  test('when a client is slow with headers or body, then it is disconnected, without an answer if it sent nothing, and others are served', async () => {
    const app = await startTestApp(freshSqlite());
    const { server } = app.http;
    expect(Math.max(server.headersTimeout, server.requestTimeout)).toBeLessThan(10_000);
    // Opens the connection that serves others below: on a new one, a suspended process would read the headers too late.
    await app.get('/api/health/live');
    Object.assign(server, { headersTimeout: 400, requestTimeout: 800 });
    const port = Number(new URL(app.url).port);
    const half =
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"acc';
    const slow = ['', 'GET /api/config HTTP/1.1\r\nHo', half].map((data) =>
      sendRaw({ port, data, deadlineMs: 30_000 }),
    );
    expect((await app.get('/api/health/live')).status).toBe(200);
    const [silent, ...answered] = await Promise.all(slow);
    for (const { closed, body } of answered)
      expect({ closed, code: JSON.parse(body).code }).toEqual({ closed: true, code: 'invalid_request' });
    expect(silent).toMatchObject({ closed: true, raw: '' });
    const { text } = await app.from('127.0.0.1').get('/api/metrics');
    expect(text).toContain('gatehouse_malformed_requests_total{reason="ERR_HTTP_REQUEST_TIMEOUT"} 2');
  });
});

describe('the caller’s address', () => {
  test('when an address is denied, then every request from it is refused, in any spelling', async () => {
    const app = await startTestApp(freshSqlite(), {
      deny_ip: ['203.0.113.7', '198.51.100.0/24', '2001:db8:bad::/48', '192.0.2.10-192.0.2.20'],
    });
    const denied = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::FFFF:CB00:7107',
      '198.51.100.255',
      '2001:db8:bad:1::1',
      '2001:0DB8:0BAD:0000::9',
      '192.0.2.15',
    ];
    for (const address of denied) {
      for (const path of ['/api/config', '/api/nothing', '/api.php', '/login', '/%zz', '/api/health/live']) {
        const { status, body } = await app.from(address).get(path);
        expect({ address, path, status, code: body?.code }).toEqual({
          address,
          path,
          status: 403,
          code: 'address_denied',
        });
      }
    }
    for (const address of ['203.0.113.8', '2001:db8:bae::1', '192.0.2.21', '192.0.2.9']) {
      expect((await app.from(address).get('/api/config')).status).toBe(200);
    }
  });

  test('when the forwarding header is forged, then only what trusted proxies wrote counts', async () => {
    const app = await startTestApp(freshSqlite(), {
      deny_ip: ['203.0.113.7'],
      trust_proxy: ['127.0.0.1', '10.0.0.0/8'],
    });
    const status = async (forwarded: string) => (await app.from(forwarded).get('/api/config')).status;
    expect(await status('203.0.113.7')).toBe(403);
    expect(await status('1.2.3.4, 203.0.113.7')).toBe(403);
    expect(await status('203.0.113.7, 10.1.2.3')).toBe(403);
    expect(await status('203.0.113.7, 9.9.9.9')).toBe(200);
    expect(await status('203.0.113.7, nonsense')).toBe(200);
    expect(await status('203.0.113.7:4711')).toBe(403);
    expect(await status(`${'1.1.1.1, '.repeat(500)}203.0.113.7`)).toBe(403);

    const direct = await startTestApp(freshSqlite(), { deny_ip: ['203.0.113.7'], trust_proxy: [] });
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-real-ip': '203.0.113.7',
    };
    expect((await direct.get('/api/config', { headers: forged })).status).toBe(200);
    const locked = await startTestApp(freshSqlite(), { deny_ip: ['127.0.0.1'], trust_proxy: [] });
    expect((await locked.get('/api/config', { headers: { 'x-forwarded-for': '9.9.9.9' } })).status).toBe(403);
  });
});

describe('the log', () => {
  test('when requests carry tokens, codes and passwords, then no log line has one', async () => {
    const secret = 'j'.repeat(40);
    const client = await startTestApp(freshSqlite(), { auth: { jwt_secret: secret } });
    const [password, legacy, jwt] = [
      'hunter2-secret-password',
      'f00dfeedf00dfeedf00dfeedf00dfeed',
      'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
    ];
    await client.post('/api/login', { account: 'someone', password });
    await client.get(`/api/check?account=someone&token=${legacy}`);
    await client.get(`/api/check?account=someone&%74oken=${legacy}`);
    await client.get(`/api.php?do=login&password=${password}&token=${legacy}`);
    await client.get('/api/bind', { token: jwt });
    await client.get(`/api/nothing?access_token=${jwt}`);
    await client.stop();
    const log = readFileSync(join(client.folder, 'service.log'), 'utf8');
    expect(log).toContain('/api/check');
    for (const text of [password, legacy, jwt, secret]) expect(log).not.toContain(text);
  });
});
