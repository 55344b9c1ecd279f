import { AggregatorRegistry, type Registry } from 'prom-client';
import { answerWorkers, askPrimary } from '../runtime/worker-ipc.ts';

const SUBJECT = 'gatehouse:metrics';
const PATIENCE_MS = 6000;

/** In the primary process: tells any of them the figures of all. */
export function answerMetrics(): void {
  const aggregator = new AggregatorRegistry();
  answerWorkers(SUBJECT, () => aggregator.clusterMetrics());
}

/** In a worker: the figures of all workers, whichever of them was asked. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  const ask = askPrimary<null, string>(SUBJECT, PATIENCE_MS);
  return () => ask(null);
}
