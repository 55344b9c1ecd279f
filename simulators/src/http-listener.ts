import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listener = {
  port: number;
  /** Listens again on the same port. */
  resume: () => Promise<void>;
  /** Stops listening and cuts every open connection. */
  pause: () => Promise<void>;
};

const bodyLimit = 64 * 1024;

/** Opens an HTTP listener on loopback only; port 0 picks a free one, once. */
export async function listen(options: { port: number; handle: RequestListener }): Promise<Listener> {
  const server = createServer(options.handle);

  async function open(port: number) {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  await open(options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async resume() {
      if (!server.listening) await open(port);
    },
    async pause() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Returns the request's body as text, or undefined if it is too long or the client hung up. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length > bodyLimit) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}
