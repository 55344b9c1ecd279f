import cluster from 'node:cluster';
import { answerPrimary, answerWorkers, askPrimary, askWorker } from './worker-ipc.ts';

const ASKED = 'gatehouse:relay';
const deliveryOf = (subject: string) => `gatehouse:relayed:${subject}`;
const TIMEOUT_MS = 1000;
/** Short, because a starting worker does not listen yet. */
const DELIVER_WITHIN_MS = 250;

interface Relayed {
  readonly subject: string;
  readonly content: unknown;
}

/** Runs in the primary process. Passes a worker's message on to all others and answers when they have it. */
export function relayBetweenWorkers(): void {
  answerWorkers(ASKED, async (relayed: Relayed, workerId) => {
    const others = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker !== undefined && worker.id !== workerId && worker.isConnected(),
    );
    await Promise.all(
      others.map(
        (worker) =>
          worker && askWorker(worker, deliveryOf(relayed.subject), relayed.content, DELIVER_WITHIN_MS),
      ),
    );
    return null;
  });
}

/**
 * Runs in a worker. Sends to all others and resolves when they have the message. A failure is ignored, because they learn of it
 * in another way.
 */
export function relayToOthers<T>(subject: string): (content: T) => Promise<void> {
  const ask = askPrimary<Relayed, null>(ASKED, TIMEOUT_MS);
  return async (content) => {
    await ask({ subject, content }).catch(() => {});
  };
}

/** Runs in a worker. Calls back with another worker's messages. */
export function onRelayed<T>(subject: string, callback: (content: T) => void): void {
  answerPrimary<T, null>(deliveryOf(subject), (content) => {
    callback(content);
    return null;
  });
}
