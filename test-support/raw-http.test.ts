import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './process.ts';
import { isWhole, sendRaw } from './raw-http.ts';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('X-Seen', 'yes').end(`saw ${request.url}`));
});
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('when the request asks to close, then the whole answer is returned', async () => {
  const answer = await sendRaw({ port, data: 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' });
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('saw /a'), closed: true });
  expect(answer.headers['x-seen']).toBe('yes');
});

test('when the connection stays open, then the answer is returned at the deadline', async () => {
  const data = ['POST /b HTTP/1.1\r\nHost: x\r\n', 'Content-Length: 2\r\n\r\n', 'ok'];
  const answer = await sendRaw({ port, data, pauseMs: 10, deadlineMs: 3000 });
  expect(answer).toMatchObject({ status: 200, closed: false });
});

test('when a whole answer is enough, then it does not wait for the connection to close', async () => {
  const data = 'GET /c HTTP/1.1\r\nHost: x\r\n\r\n';
  const answer = await sendRaw({ port, data, until: isWhole, deadlineMs: 60_000 });
  expect(answer).toMatchObject({ status: 200, body: 'saw /c', closed: false });
});

test('when the bytes are not HTTP, then the refusal is read like any answer', async () => {
  const answer = await sendRaw({ port, data: Buffer.from([0, 1, 2, 13, 10, 13, 10]) });
  expect(answer).toMatchObject({ status: 400, closed: true });
});

test('when the port is closed, then it fails instead of returning nothing', async () => {
  const nobody = await freePort();
  await expect(sendRaw({ port: nobody, data: 'x' })).rejects.toThrow('ECONNREFUSED');
});
