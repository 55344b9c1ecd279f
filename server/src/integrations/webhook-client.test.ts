import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../test/support/webhook-receiver.ts';
import { webhookClient } from './webhook-client.ts';

const message = { body: '{}', headers: {} };
type Resolve = NonNullable<Parameters<typeof webhookClient>[0]['resolve']>;

/** Resolves every name to these addresses, one after another. */
function resolveTo(...addresses: string[]): Resolve {
  return (_host, _options, callback) =>
    callback(null, [{ address: addresses.shift() ?? '203.0.113.1', family: 4 }]);
}

test.each([
  ['http://203.0.113.9/', false, 'webhook_url'],
  ['http://127.0.0.1/', false, 'webhook_url'],
  ['ftp://203.0.113.9/', true, 'webhook_url'],
  ['https://user:password@203.0.113.9/', true, 'webhook_url'],
  ['not a url', true, 'webhook_url'],
  ['https://127.0.0.1/', false, 'webhook_host'],
  ['https://[::1]/', false, 'webhook_host'],
  ['https://[::ffff:10.0.0.1]/', false, 'webhook_host'],
  ['https://[64:ff9b::a00:1]/', false, 'webhook_host'],
  ['https://[::ffff:0:10.0.0.1]/', false, 'webhook_host'],
  ['https://[::ffff:0:169.254.169.254]/', true, 'webhook_host'],
  ['https://168.63.129.16/', true, 'webhook_host'],
  ['https://10.1.2.3/', false, 'webhook_host'],
  ['https://0x7f.1/', false, 'webhook_host'],
  ['https://169.254.169.254/latest/meta-data', true, 'webhook_host'],
  ['http://169.254.169.254/latest/meta-data', true, 'webhook_host'],
  ['https://[fd00:ec2::254]/', true, 'webhook_host'],
  ['http://203.0.113.9/', true, 'webhook_host'],
  ['https://203.0.113.9/hook', false, undefined],
  ['https://10.1.2.3/hook', true, undefined],
  ['http://10.1.2.3:8080/hook', true, undefined],
])(
  'when %s is named and private hosts are allowed: %s, then the fault is %s',
  async (url, allowPrivate, fault) => {
    const client = webhookClient({ allowPrivate });
    expect(await client.faultOf(url)).toBe(fault);
    if (fault) expect(await client.send({ ...message, url })).toMatchObject({ status: null });
  },
);

test('when a name resolves to a public address first and to the metadata service later, then nothing is sent there', async () => {
  const client = webhookClient({
    allowPrivate: true,
    resolve: resolveTo('203.0.113.1', '169.254.169.254'),
  });
  expect(await client.faultOf('https://rebinding.example/')).toBe(undefined);
  expect(await client.send({ ...message, url: 'https://rebinding.example/' })).toMatchObject({
    status: null,
    error: expect.stringContaining('rebinding.example has an address'),
  });
});

test('when the receiver switches protocols, then the attempt fails immediately', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: any\r\nConnection: Upgrade\r\n\r\n'),
    );
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = webhookClient({ allowPrivate: true });
  expect(await client.send({ ...message, url })).toMatchObject({
    status: null,
    error: 'answered with a change of protocol',
  });
});

test('when the receiver redirects, then the redirect is the answer and is not followed', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  first.answer = (response) => void response.writeHead(302, { location: second.url }).end();
  const client = webhookClient({ allowPrivate: true });
  expect(await client.send({ ...message, url: first.url })).toMatchObject({ status: 302 });
  expect(second.received).toEqual([]);
});

test('when the answer is long, then its first 2 KB are stored', async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.end(`a${'é'.repeat(100_000)}`);
  const client = webhookClient({ allowPrivate: true });
  const { status, answer } = await client.send({ ...message, url: receiver.url });
  expect([status, answer]).toEqual([200, `a${'é'.repeat(1023)}`]);
});
