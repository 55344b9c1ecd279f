import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type AddressList, type Caller, canonicalAddress, loopback } from '../security/addresses.ts';

/** Ignore hops beyond this; no real deployment has so many proxies. */
const MAX_HOPS = 32;

/**
 * Returns the socket's address or, behind trusted proxies, the right-most hop of X-Forwarded-For that is not one of them. Stops
 * at a hop that is not an address: everything left of it may be forged.
 */
export function clientOf({ socket, headers }: IncomingMessage, trusted: AddressList): Caller {
  const peer = peerAddress(socket.remoteAddress);
  const forwarded = trusted.has(peer) ? headers['x-forwarded-for'] : undefined;
  if (forwarded === undefined) return { address: peer, direct: !isPassedOn(headers) };
  const hops = String(forwarded).split(',').slice(-MAX_HOPS).reverse();
  let nearest = peer;
  for (const hop of hops) {
    const address = hopAddress(hop.trim());
    if (address === undefined) return { address: nearest, direct: false };
    nearest = address;
    if (!trusted.has(address)) break;
  }
  // A proxy on another machine names its own loopback, not ours. Any host in a trusted block could send it.
  return { address: nearest, direct: !loopback.has(nearest) || loopback.has(peer) };
}

/** Reports whether a proxy forwarded the request or a browser sent it: its address then identifies no program. */
function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers.via !== undefined ||
    headers.origin !== undefined ||
    headers['sec-fetch-site'] !== undefined
  );
}

export function peerAddress(remote: string | undefined): string {
  if (remote === undefined) return '';
  return remote.startsWith('::ffff:') ? (canonicalAddress(remote) ?? remote) : remote;
}

/** Some proxies append the port. */
function hopAddress(hop: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
  return canonicalAddress(bare);
}
