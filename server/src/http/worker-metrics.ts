import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const QUESTION = 'gatehouse:metrics';
const PATIENCE_MS = 6000;

interface Message {
  readonly type: typeof QUESTION;
  readonly id: number;
  /** In the answer. */
  readonly text?: string;
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'type') === QUESTION;
}

/** In the process above the workers: tells any of them the figures of all. */
export function answerMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return;
    aggregator
      .clusterMetrics()
      .then((text) => worker.isConnected() && worker.send({ ...message, text }))
      // The worker that asked gives up by itself.
      .catch(() => {});
  });
}

/** In a worker: the figures of all workers, whichever of them was asked. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (!isOurs(message)) return;
    waiting.get(message.id)?.(message.text ?? '');
    waiting.delete(message.id);
  });
  return () =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error('the other workers did not tell their figures in time'));
      }, PATIENCE_MS);
      waiting.set(id, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      process.send?.({ type: QUESTION, id } satisfies Message);
    });
}
