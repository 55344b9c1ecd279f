import { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../../test-support/certificates.ts';
import { sendOnce } from './send-once.ts';

type Outgoing = Parameters<typeof sendOnce>[0];

/** Resolves every name to an address where nothing listens, and to this machine's. */
const deadFirst: LookupFunction = (_host, _options, callback) =>
  callback(null, [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);

test('when a name has several addresses and the first refuses, then the request reaches the next over TLS', async () => {
  const authority = createAuthority();
  const { cert, key } = authority.issue('peer.example');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readFileSync(authority.ca, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const files = { cert: readFileSync(cert), key: readFileSync(key) };
  const peer = createTlsServer(files, (_request, response) => response.end('taken'));
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void peer.close());
  const url = new URL(`https://peer.example:${(peer.address() as AddressInfo).port}/`);
  const hosts = { lookup: deadFirst, refuseAddress: () => {} } as Outgoing['hosts'];
  const reply = await sendOnce({ url, method: 'GET', timeoutMs: 5000, hosts, mayStillSend: () => true });
  expect(reply).toEqual({ kind: 'answered', status: 200, text: 'taken' });
});

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
    const hosts = { lookup, refuseAddress: () => {} } as Outgoing['hosts'];

    const reply = await sendOnce({ url, method: 'GET', timeoutMs: 200, hosts, mayStillSend: () => true });

    expect(reply).toEqual({ kind, why: 'no answer within 0.2 s' });
    expect(await ended).toBe('ECONNRESET');
  },
);
