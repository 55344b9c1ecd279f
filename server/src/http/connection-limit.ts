import type { Server } from 'node:net';
import { type AddressList, loopback, networkOf } from '../security/addresses.ts';
import { peerAddress } from './client-address.ts';

export interface ConnectionLimit {
  /** Upper bound of open connections per address or IPv6 /64. */
  readonly most: number;
  /** Proxies, which carry the connections of many clients. */
  readonly exempt: AddressList;
  readonly refused: (address: string) => void;
}

/** Closes connections beyond the limit when they are accepted, before reading from them. */
export function limitConnections(server: Server, { most, exempt, refused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = peerAddress(socket.remoteAddress);
    if (loopback.has(address) || exempt.has(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > most) {
      refused(address);
      return void socket.destroy();
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
