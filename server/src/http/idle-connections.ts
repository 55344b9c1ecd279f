import type { Server, Socket } from 'node:net';

const LOOKS = 5;

interface Seen {
  bytes: number;
  looks: number;
}

/**
 * Closes connections on which nothing has moved for about so long, between requests and in the middle of one. They are
 * looked at now and then: Node's timer of a socket is moved at every read and write, a fifteenth of the fastest routes.
 */
export function closeIdleConnections(server: Server, idleMs: number): void {
  const connections = new Map<Socket, Seen>();
  server.on('connection', (socket) => {
    connections.set(socket, { bytes: 0, looks: 0 });
    socket.once('close', () => connections.delete(socket));
  });

  function look(): void {
    for (const [socket, seen] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== seen.bytes) Object.assign(seen, { bytes, looks: 0 });
      else if (++seen.looks === LOOKS) socket.destroy();
    }
  }
  const looking = setInterval(look, idleMs / LOOKS).unref();
  server.once('close', () => clearInterval(looking));
}
