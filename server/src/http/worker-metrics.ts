import { AggregatorRegistry, type Registry } from 'prom-client';
import { answerWorkers, askPrimary } from '../runtime/worker-ipc.ts';

const SUBJECT = 'gatehouse:metrics';
const TIMEOUT_MS = 6000;

/** In the primary process: answers a worker with the metrics of all workers. */
export function answerMetrics(): void {
  const aggregator = new AggregatorRegistry();
  answerWorkers(SUBJECT, () => aggregator.clusterMetrics());
}

/** In a worker: the metrics of all workers, so that it does not matter which of them is scraped. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  const ask = askPrimary<null, string>(SUBJECT, TIMEOUT_MS);
  return () => ask(null);
}
