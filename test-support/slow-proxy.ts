import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy in front of a server, which can make its answers late. */
export type SlowProxy = {
  port: number;
  /** Delays every piece of an answer by this much from now on; connecting is not delayed. */
  setDelay(ms: number): void;
  /** Connections that are open now. */
  open(): number;
  stop(): Promise<void>;
};

export async function startSlowProxy(target: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const stopping = new AbortController();
  let delay = 0;

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
      sockets.delete(client);
      sockets.delete(upstream);
    };
    let waiting = 0;
    let due = 0;
    let last = Promise.resolve();
    /** Runs after the delay and in order, as TCP delivers, even if the delay was lowered meanwhile. */
    const later = (work: () => void) => {
      due = Math.max(due, performance.now() + delay);
      const at = due;
      last = last
        .then(() => sleep(Math.max(0, at - performance.now()), undefined, { signal: stopping.signal }))
        .then(work)
        .catch(() => {});
    };
    sockets.add(client).add(upstream);
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    client.on('data', (piece) => upstream.write(piece));
    upstream.on('data', (piece) => {
      if (delay === 0 && waiting === 0) return void client.write(piece);
      waiting += 1;
      later(() => {
        waiting -= 1;
        client.write(piece);
      });
    });
    client.on('close', end).on('error', end);
    upstream.on('close', () => (waiting === 0 ? end() : later(end))).on('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    port: address.port,
    setDelay: (ms) => {
      delay = ms;
    },
    open: () => sockets.size / 2,
    async stop() {
      stopping.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
