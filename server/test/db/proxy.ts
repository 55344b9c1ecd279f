import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../test-support/process.ts';

export interface Proxy {
  /** The same database through the proxy. */
  readonly url: string;
  /** Cuts the connection at the first packet that contains the text, before or after passing it on. */
  cutAt(text: string, when: 'before' | 'after'): void;
  /** Cuts the connection of the first transaction that sends the text, before or after its commit is passed on. */
  cutCommitOf(text: string, when?: 'before' | 'after'): void;
  /** Same, and stops. Resolves when it has. */
  stopAtCommitOf(text: string, when: 'before' | 'after'): Promise<void>;
  /** Stops forwarding without closing anything. */
  stall(): void;
  /** Accepts new connections but forwards nothing from them. Returns the number of them so far. */
  stallNew(): () => number;
  /** Forwards new connections again. */
  acceptNew(): void;
  stop(): Promise<void>;
  /** Listens again after a stop. */
  start(): Promise<void>;
}

interface Cut {
  readonly text: string;
  readonly when: 'before' | 'after';
  readonly stopped?: () => void;
}

/** A TCP proxy in front of MariaDB that cuts the connection at a chosen moment. */
export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const upstreamPort = Number(target.port);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let pendingCut: Cut | undefined;
  let awaited: Cut | undefined;
  let stalled = false;
  let newAreStalled = false;
  let stalledNew = 0;

  const server = createServer((client) => {
    if (newAreStalled) {
      stalledNew++;
      sockets.add(client.on('error', () => {}));
      return;
    }
    const upstream = connect(upstreamPort, target.hostname);
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => other.destroy());
    }
    upstream.on('data', (data) => stalled || client.write(data));
    let commitCut: Cut | undefined;
    let isInTransaction = false;
    client.on('data', (data) => {
      if (stalled) return;
      if (data.includes('BEGIN')) isInTransaction = true;
      if (awaited !== undefined && isInTransaction && data.includes(awaited.text)) {
        commitCut = { ...awaited, text: 'COMMIT' };
        awaited = undefined;
      }
      const cut = [commitCut, pendingCut].find((each) => each !== undefined && data.includes(each.text));
      if (cut === undefined) {
        if (data.includes('COMMIT') || data.includes('ROLLBACK')) isInTransaction = false;
        upstream.write(data);
        return;
      }
      if (cut === pendingCut) pendingCut = undefined;
      const end = () => (cut.stopped ? stop().then(cut.stopped) : client.destroy());
      if (cut.when === 'after') {
        // The answer proves that the server executed it; the client never sees it.
        upstream.removeAllListeners('data').once('data', end).write(data);
      } else end();
    });
  });
  const start = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await start();

  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(stop);

  target.port = String(port);
  return {
    url: target.href,
    cutAt(text, when) {
      pendingCut = { text, when };
    },
    cutCommitOf(text, when = 'before') {
      awaited = { text, when };
    },
    stopAtCommitOf: (text, when) =>
      new Promise((stopped) => {
        awaited = { text, when, stopped };
      }),
    stall() {
      stalled = true;
    },
    stallNew() {
      newAreStalled = true;
      return () => stalledNew;
    },
    acceptNew() {
      newAreStalled = false;
    },
    stop,
    start,
  };
}
