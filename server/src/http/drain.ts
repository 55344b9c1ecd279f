import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as afterInput } from 'node:timers/promises';
import { doneWithin } from '../runtime/with-timeout.ts';

/**
 * Takes no new connections, and lets each open one carry a last answer that says so. A proxy which sends a request on an
 * idle connection at the moment we close it cannot know whether the request was carried out, and must call it failed.
 */
export async function drain(server: Server, timeoutMs: number): Promise<void> {
  const empty = once(server, 'close');
  // Connections that the kernel has accepted already are served.
  await afterInput();
  // An HTTP server's own close would cut idle connections at once.
  Server.prototype.close.call(server);
  await doneWithin(empty, timeoutMs);
}
