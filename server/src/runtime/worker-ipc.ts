import cluster from 'node:cluster';
import { withTimeout } from './with-timeout.ts';

export interface Message {
  readonly about: string;
  readonly id: number;
  readonly content: unknown;
}

export function isAbout(subject: string, message: unknown): message is Message {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'about') === subject;
}

/** In the primary process: answers the workers' requests. */
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

/** In the primary process: calls back when a worker has ended, however it did. */
export function onWorkerExit(callback: (workerId: number) => void): void {
  cluster.on('exit', (worker) => callback(worker.id));
}

/** In a worker: asks the primary process. */
export function askPrimary<Question, Answer>(
  subject: string,
  timeoutMs: number,
): (question: Question) => Promise<Answer> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (isAbout(subject, message)) waiting.get(message.id)?.(message.content as Answer);
  });
  return async (content) => {
    const id = ++last;
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    // Without a listener for its failure, a message to a process that is gone would end this one.
    process.send?.({ about: subject, id, content } satisfies Message, undefined, {}, () => {});
    try {
      return await withTimeout(
        answer,
        timeoutMs,
        () => new Error(`no answer about ${subject} from the primary process`),
      );
    } finally {
      waiting.delete(id);
    }
  };
}
