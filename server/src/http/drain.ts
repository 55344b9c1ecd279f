import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as afterInput } from 'node:timers/promises';
import { doneWithin } from '../runtime/with-timeout.ts';

/**
 * Stops accepting connections, and lets each open one carry a last response with `Connection: close`. If we closed idle
 * connections instead, a proxy sending a request at that moment could not know whether it was executed.
 */
export async function drain(server: Server, timeoutMs: number): Promise<void> {
  const empty = once(server, 'close');
  // Serve connections that the kernel has already accepted.
  await afterInput();
  // http.Server's own close would cut idle connections at once.
  Server.prototype.close.call(server);
  await doneWithin(empty, timeoutMs);
}
