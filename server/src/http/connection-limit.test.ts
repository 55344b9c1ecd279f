import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { addressList } from '../security/addresses.ts';
import { limitConnections } from './connections.ts';

/** Opens a server that sees connections come from the queued addresses, one after another. */
async function openServer(exempt: readonly string[] = []) {
  const refused: string[] = [];
  const addresses: string[] = [];
  const accepted: Socket[] = [];
  const server = createServer();
  server.prependListener('connection', (socket) => {
    accepted.push(socket);
    Object.defineProperty(socket, 'remoteAddress', { value: addresses.shift() });
  });
  limitConnections(server, { most: 2, exempt: addressList(exempt), refused: (each) => refused.push(each) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    refused,
    async connectFrom(address: string) {
      addresses.push(address);
      const socket = connect(port, '127.0.0.1').resume();
      const [served] = (await once(server, 'connection')) as [Socket];
      return { socket, served };
    },
  };
}

test('when one address opens more connections than allowed, then those are closed and others are not', async () => {
  const { connectFrom, refused } = await openServer();
  const first = await connectFrom('203.0.113.7');
  const second = await connectFrom('::ffff:203.0.113.7');
  const third = await connectFrom('203.0.113.7');
  const other = await connectFrom('203.0.113.8');
  expect([first, second, third, other].map(({ served }) => served.destroyed)).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(refused).toEqual(['203.0.113.7']);

  first.socket.destroy();
  await once(first.served.resume(), 'close');
  expect((await connectFrom('203.0.113.7')).served.destroyed).toBe(false);
  expect((await connectFrom('203.0.113.7')).served.destroyed).toBe(true);
});

test('when addresses belong to one IPv6 network, then they count together', async () => {
  const { connectFrom } = await openServer();
  const cut: boolean[] = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
    cut.push((await connectFrom(address)).served.destroyed);
  expect(cut).toEqual([false, false, true, false]);
});

test('when connections come from loopback or a trusted proxy, then their number is not limited', async () => {
  const { connectFrom, refused } = await openServer(['192.0.2.1']);
  for (const address of ['127.0.0.1', '::1', '192.0.2.1'])
    for (let i = 0; i < 4; i++) expect((await connectFrom(address)).served.destroyed).toBe(false);
  expect(refused).toEqual([]);
});
