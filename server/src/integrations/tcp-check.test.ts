import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { allowedHosts } from './allowed-hosts.ts';
import { tcpCheck } from './tcp-check.ts';
import { startZoneProbe } from './zone-probe.ts';

async function openPort() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push(socket.remoteAddress ?? '');
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

test('when a zone names a host that is not allowed, then its port is not contacted, and the answer reveals nothing', async () => {
  const { port, seen } = await openPort();
  const refused = expect.stringContaining('is not in zones.allowed_hosts');
  for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1'])
    expect(await tcpCheck(['10.0.0.0/8'])(host, port)).toEqual(refused);
  expect(await tcpCheck([])('169.254.169.254', port)).toMatch(
    /link-local or metadata .* zones\.allowed_hosts/,
  );

  const probe = startZoneProbe({ interval: 1, hosts: allowedHosts(['127.0.0.1']) });
  onTestFinished(probe.close);
  probe.watch(() => [
    { serverId: 1, address: '127.0.0.1', port },
    { serverId: 2, address: '10.0.0.1', port },
    { serverId: 3, address: '127.0.0.1', port: 0 },
  ]);
  await expect.poll(() => probe.last({ serverId: 1 })).toBe(true);
  expect(probe.last({ serverId: 2 })).toBeUndefined();
  expect(probe.last({ serverId: 3 })).toBe(false);
  const asked = seen.length;
  expect(await tcpCheck(['127.0.0.1'])('127.0.0.1', port)).toBeUndefined();
  await expect.poll(() => seen.length).toBeGreaterThan(asked);
});
