import cluster, { type Worker } from 'node:cluster';
import { doneWithin } from './with-timeout.ts';
import { answerWorkers, askPrimary, isAbout, type Message } from './worker-ipc.ts';

const ASKED = 'gatehouse:relay';
const DELIVERED = 'gatehouse:relayed';
const TIMEOUT_MS = 1000;
/** One that is starting does not listen yet. */
const DELIVER_WITHIN_MS = 250;

interface Relayed {
  readonly subject: string;
  readonly content: unknown;
}

let deliveries = 0;

/** In the primary process: passes what a worker tells on to all the others, and answers when they have it. */
export function relayBetweenWorkers(): void {
  answerWorkers(ASKED, async (relayed: Relayed, workerId) => {
    const others = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker !== undefined && worker.id !== workerId && worker.isConnected(),
    );
    await Promise.all(others.map((worker) => worker && deliver(worker, relayed)));
    return null;
  });
}

async function deliver(worker: Worker, content: Relayed): Promise<void> {
  const id = ++deliveries;
  const { promise: confirmed, resolve } = Promise.withResolvers<void>();
  const confirm = (message: unknown) => {
    if (isAbout(DELIVERED, message) && message.id === id) resolve();
  };
  worker.on('message', confirm);
  worker.send({ about: DELIVERED, id, content } satisfies Message);
  await doneWithin(confirmed, DELIVER_WITHIN_MS);
  worker.off('message', confirm);
}

/** In a worker: tells all the others; resolves when they have it, or will learn of it in another way. */
export function relayToOthers<T>(subject: string): (content: T) => Promise<void> {
  const ask = askPrimary<Relayed, null>(ASKED, TIMEOUT_MS);
  return async (content) => {
    await ask({ subject, content }).catch(() => {});
  };
}

/** In a worker: calls back with what another one tells. */
export function onRelayed<T>(subject: string, callback: (content: T) => void): void {
  process.on('message', (message: unknown) => {
    if (!isAbout(DELIVERED, message)) return;
    const relayed = message.content as Relayed;
    if (relayed.subject !== subject) return;
    callback(relayed.content as T);
    process.send?.(
      { about: DELIVERED, id: message.id, content: null } satisfies Message,
      undefined,
      {},
      () => {},
    );
  });
}
