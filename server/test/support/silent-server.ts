import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../test-support/process.ts';

/** Starts a database server that accepts connections and never answers; closed after the test. */
export async function startSilentServer(): Promise<{ url: string; sockets: Set<{ destroy(): void }> }> {
  const port = await freePort();
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `mysql://u:p@127.0.0.1:${port}`, sockets };
}
