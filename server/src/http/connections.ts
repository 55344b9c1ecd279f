import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as afterInput } from 'node:timers/promises';
import { startJob } from '../runtime/job.ts';
import { doneWithin } from '../runtime/with-timeout.ts';
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

const CHECKS = 5;

/**
 * Closes connections without traffic for about `idleMs`, between requests and within one. Checks periodically: Node's own socket
 * timer is reset at every read and write, which costs a fifteenth of the fastest routes.
 */
export function closeIdleConnections(server: Server, idleMs: number): void {
  const connections = new Map<Socket, { bytes: number; idleChecks: number }>();
  server.on('connection', (socket) => {
    connections.set(socket, { bytes: 0, idleChecks: 0 });
    socket.once('close', () => connections.delete(socket));
  });

  function check(): void {
    for (const [socket, activity] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== activity.bytes) Object.assign(activity, { bytes, idleChecks: 0 });
      else if (++activity.idleChecks === CHECKS) socket.destroy();
    }
  }
  const intervalMs = idleMs / CHECKS;
  const job = startJob({ intervalMs, firstAfterMs: intervalMs, work: check });
  server.once('close', job.close);
}

/** Upper bound of iterations, for a server that is called without a pause. */
const MAX_ITERATIONS = 100;

/**
 * Accepts what the kernel has completed: closing the socket resets those connections, and a proxy cannot know whether their
 * requests were executed. Returns after two iterations of the event loop without a new one; the first may have begun before.
 */
async function acceptPending(server: Server): Promise<void> {
  let quiet = 0;
  const accepted = () => {
    quiet = 0;
  };
  server.on('connection', accepted);
  for (let iteration = 0; quiet < 2 && iteration < MAX_ITERATIONS; iteration++) {
    quiet++;
    await afterInput();
  }
  server.off('connection', accepted);
}

/**
 * Stops accepting connections, and lets each open one carry a last response with `Connection: close`. If we closed idle
 * connections instead, a proxy sending a request at that moment could not know whether it was executed.
 */
export async function drain(server: Server, timeoutMs: number): Promise<void> {
  const empty = once(server, 'close');
  await acceptPending(server);
  // http.Server's own close would cut idle connections immediately.
  Server.prototype.close.call(server);
  await doneWithin(empty, timeoutMs);
}
