import type { Socket } from 'node:net';

/** Where node:http keeps the parser of a connection, and what that calls with each request. */
interface Parsed {
  readonly parser?: { onIncoming?: unknown } | null;
}

/** Has the parser leave the rest alone, as after a request that changes the protocol. */
const leaveRest = () => 2;

/**
 * Ends a connection, and the parsing of what was read from it already: up to 64 KiB, which is a thousand requests. The
 * fields are not documented; without them those requests are parsed and dropped one by one.
 */
export function cutConnection(socket: Socket & Parsed): void {
  if (socket.parser) socket.parser.onIncoming = leaveRest;
  socket.destroy();
}
