import type { Socket } from 'node:net';

/** node:http's parser of a connection, and its callback for each request. Undocumented fields. */
interface Parsed {
  readonly parser?: { onIncoming?: unknown } | null;
}

/** Makes the parser skip the remaining bytes, as after a protocol upgrade. */
const leaveRest = () => 2;

/**
 * Closes a connection and stops parsing what was already read from it: up to 64 KiB, which can hold a thousand requests. The
 * fields are undocumented; without them those requests are parsed and dropped one by one.
 */
export function cutConnection(socket: Socket & Parsed): void {
  if (socket.parser) socket.parser.onIncoming = leaveRest;
  socket.destroy();
}
