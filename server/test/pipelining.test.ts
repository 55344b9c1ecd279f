import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendRaw } from '../../test-support/raw-http.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { cutConnection } from '../src/http/fast-path/raw-response.ts';
import { createPreRouter } from '../src/http/pre-router.ts';
import { addressList } from '../src/security/addresses.ts';
import { startTestApp } from './support/test-app.ts';

const MOST = 128;
const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const statuses = (raw: string) => [...raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

async function openService() {
  const app = await startTestApp(freshSqlite());
  return { ...app, port: Number(new URL(app.url).port) };
}

test('when 128 requests are pipelined, on both paths, then each is answered, in order', async () => {
  const { port } = await openService();
  const paths = Array.from({ length: MOST - 1 }, (_, n) =>
    n % 3 === 0 ? '/api/nothing' : n % 3 === 1 ? '/api/server/list' : '/api/config?x=1',
  );
  const data = paths.map((path) => get(path)).join('') + get('/api/config', 'Connection: close');
  const { raw, closed } = await sendRaw({ port, data });
  expect(closed).toBe(true);
  expect(statuses(raw)).toEqual([...paths.map((path) => (path === '/api/nothing' ? 404 : 200)), 200]);
});

test('when a connection has more than that unanswered, then it is closed, others are served and it is counted', async () => {
  const { port, from } = await openService();
  for (const path of ['/api/server/list', '/api/nothing']) {
    const { raw, closed } = await sendRaw({ port, data: get(path).repeat(5000), until: () => false });
    expect({ path, closed }).toEqual({ path, closed: true });
    expect(statuses(raw).length).toBeLessThanOrEqual(MOST);
  }
  const { status, text } = await from('127.0.0.1').get('/api/metrics');
  expect(status).toBe(200);
  expect(text).toContain('gatehouse_malformed_requests_total{reason="TOO_MANY_UNANSWERED"} 2');
});

/** A pre-router whose routed requests wait until the test answers them. */
async function openHeld() {
  const routed: ServerResponse[] = [];
  const nobody = addressList([]);
  const server = createPreRouter(
    {
      trusted: nobody,
      denied: () => nobody,
      connectionsPerAddress: 1,
      handlers: [],
      closeConnection: cutConnection,
      observe: { finished() {}, malformed() {} },
    },
    (_request, response) => routed.push(response),
  );
  const received: ServerResponse[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  server.on('request', (_request, response) => {
    received.push(response);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    port: (server.address() as AddressInfo).port,
    routed,
    received,
    receive: (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

test('when many requests of one connection wait, then the router gets few of them at a time', async () => {
  const { port, routed, receive } = await openHeld();
  const answers = sendRaw({ port, data: get('/x').repeat(20), until: (raw) => statuses(raw).length === 20 });
  await receive(20);
  expect(routed.length).toBe(4);
  for (let n = 0; n < 20; n++) {
    await expect.poll(() => routed.length).toBe(Math.min(n + 4, 20));
    const response = routed[n];
    response?.writeHead(200 + n, { 'content-length': 0 }).end();
  }
  expect(statuses((await answers).raw)).toEqual(Array.from({ length: 20 }, (_, n) => 200 + n));
});

test('when a connection is closed, then what it had sent beyond the limit is not even parsed', async () => {
  const { port, routed, received } = await openHeld();
  const socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => {});
  socket.write(get('/x').repeat(1000));
  await once(socket, 'close');
  expect(routed.length).toBe(4);
  expect(received.length).toBe(MOST + 1);
});
