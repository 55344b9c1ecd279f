import cluster, { type Worker } from 'node:cluster';
import { withTimeout } from './with-timeout.ts';

export interface Message {
  readonly about: string;
  readonly id: number;
  readonly content: unknown;
}

export function isAbout(subject: string, message: unknown): message is Message {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'about') === subject;
}

/** Runs in the primary process. Answers the workers' requests. */
export function answerWorkers<Question, Answer>(
  subject: string,
  answer: (question: Question, workerId: number) => Promise<Answer>,
): void {
  cluster.on('message', (worker, message: unknown) => {
    if (!isAbout(subject, message)) return;
    answer(message.content as Question, worker.id)
      .then((content) => worker.isConnected() && worker.send({ ...message, content }))
      // The worker's request times out.
      .catch(() => {});
  });
}

let questions = 0;

/** Runs in the primary process. Sends a request to one worker; returns undefined if there is no answer in time. */
export async function askWorker<Question, Answer>(
  worker: Worker,
  subject: string,
  content: Question,
  timeoutMs: number,
): Promise<Answer | undefined> {
  const id = ++questions;
  const { promise: answer, resolve } = Promise.withResolvers<Answer | undefined>();
  const receive = (message: unknown) => {
    if (isAbout(subject, message) && message.id === id) resolve(message.content as Answer);
  };
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  worker.on('message', receive);
  worker.send({ about: subject, id, content } satisfies Message, (error) => error && resolve(undefined));
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    worker.off('message', receive);
  }
}

/** Runs in a worker. Answers the primary process. */
export function answerPrimary<Question, Answer>(
  subject: string,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  process.on('message', async (message: unknown) => {
    if (!isAbout(subject, message)) return;
    const content = await answer(message.content as Question);
    // Without an error callback, sending to a process that has exited would crash this one.
    process.send?.({ about: subject, id: message.id, content } satisfies Message, undefined, {}, () => {});
  });
}

/** Runs in the primary process. Calls back when a worker has exited for any reason. */
export function onWorkerExit(callback: (workerId: number) => void): void {
  cluster.on('exit', (worker) => callback(worker.id));
}

/** Runs in a worker. Sends requests to the primary process. */
export function askPrimary<Question, Answer>(
  subject: string,
  timeoutMs: number,
): (question: Question) => Promise<Answer> {
  const unanswered = () => new Error(`the primary process did not answer about ${subject}`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (isAbout(subject, message)) waiting.get(message.id)?.(message.content as Answer);
  });
  return async (content) => {
    // A worker that is being replaced has already disconnected.
    if (!process.connected) throw unanswered();
    const id = ++last;
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    // Without an error callback, sending to a process that has exited would crash this one.
    process.send?.({ about: subject, id, content } satisfies Message, undefined, {}, () => {});
    try {
      return await withTimeout(answer, timeoutMs, unanswered);
    } finally {
      waiting.delete(id);
    }
  };
}

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
