import type { IncomingMessage } from 'node:http';
import { type AddressList, canonicalAddress } from '../security/addresses.ts';

/** Longer chains are nobody's: the far end is not worth the work. */
const MAX_HOPS = 32;

/**
 * The socket's address, or, behind trusted proxies, the right-most hop of X-Forwarded-For that is not one of them.
 * A hop that is no address ends the walk: what stands left of it was written by whoever wrote the nonsense.
 */
export function clientAddress(request: IncomingMessage, trusted: AddressList): string {
  const peer = peerAddress(request.socket.remoteAddress);
  if (!trusted.has(peer)) return peer;
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined) return peer;
  const hops = String(forwarded).split(',').slice(-MAX_HOPS).reverse();
  let nearest = peer;
  for (const hop of hops) {
    const address = hopAddress(hop.trim());
    if (address === undefined) return nearest;
    nearest = address;
    if (!trusted.has(address)) return address;
  }
  return nearest;
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
