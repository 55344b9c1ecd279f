import { lookup } from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendOnce } from './send-once.ts';

test.each([
  ['http', 'lost'],
  ['https', 'not_sent'],
])(
  'when a peer of %s is silent for too long, then the connection is reset, so that nothing is delivered later',
  async (protocol, kind) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string | undefined>();
    const peer = createServer((socket) => {
      socket.on('error', (error: NodeJS.ErrnoException) => end(error.code));
      socket.on('end', () => end('a plain end'));
      socket.resume();
    });
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void peer.close());
    const url = new URL(`${protocol}://127.0.0.1:${(peer.address() as AddressInfo).port}/`);
    const hosts = { lookup, refuseAddress: () => {} } as Parameters<typeof sendOnce>[0]['hosts'];

    const reply = await sendOnce({ url, method: 'GET', timeoutMs: 200, hosts, mayStillSend: () => true });

    expect(reply).toEqual({ kind, why: 'no answer within 0.2 s' });
    expect(await ended).toBe('ECONNRESET');
  },
);
