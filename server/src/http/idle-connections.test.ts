import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { closeIdleConnections } from './connections.ts';

const IDLE_MS = 2000;

test('when a connection is idle, then it is closed; one in use stays open', async () => {
  const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => response.end('here'));
  closeIdleConnections(server, IDLE_MS);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1').resume();
    await once(socket, 'connect');
    return socket;
  };
  const [silent, used] = [await open(), await open()];

  let over = false;
  const silentClosed = once(silent, 'close').then(() => {
    over = true;
  });
  while (!over) {
    used.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    await Promise.race([sleep(IDLE_MS / 10), silentClosed]);
  }

  expect(used.closed).toBe(false);
  await once(used, 'close');
});
