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

let questions = 0;

/** In the primary process: asks one worker; undefined when it does not answer in time. */
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

/** In a worker: answers the primary process. */
export function answerPrimary<Question, Answer>(
  subject: string,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  process.on('message', async (message: unknown) => {
    if (!isAbout(subject, message)) return;
    const content = await answer(message.content as Question);
    // Without a listener for its failure, a message to a process that is gone would end this one.
    process.send?.({ about: subject, id: message.id, content } satisfies Message, undefined, {}, () => {});
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
  const unanswered = () => new Error(`no answer about ${subject} from the primary process`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (isAbout(subject, message)) waiting.get(message.id)?.(message.content as Answer);
  });
  return async (content) => {
    // One that is being replaced has disconnected already.
    if (!process.connected) throw unanswered();
    const id = ++last;
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    // Without a listener for its failure, a message to a process that is gone would end this one.
    process.send?.({ about: subject, id, content } satisfies Message, undefined, {}, () => {});
    try {
      return await withTimeout(answer, timeoutMs, unanswered);
    } finally {
      waiting.delete(id);
    }
  };
}
