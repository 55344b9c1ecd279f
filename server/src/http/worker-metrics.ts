import type { Worker } from 'node:cluster';
import { AggregatorRegistry, Gauge, type MetricObject, Registry } from 'prom-client';
import { answerPrimary, answerWorkers, askPrimary, askWorker } from '../runtime/worker-ipc.ts';

const OF_ALL = 'gatehouse:metrics';
const OF_ONE = 'gatehouse:own-metrics';
const WORKER_TIMEOUT_MS = 1000;
const PRIMARY_TIMEOUT_MS = 2000;

/**
 * Answers a worker with the metrics of all workers and of the primary. A worker that is busy or has just died is counted as
 * missing instead of waited for. Runs in the primary.
 */
export function answerMetrics({ own, workers }: { own: Registry; workers: () => readonly Worker[] }): void {
  answerWorkers(OF_ALL, async () => {
    const answers = await Promise.all(
      workers().map((worker) => askWorker<null, MetricObject[]>(worker, OF_ONE, null, WORKER_TIMEOUT_MS)),
    );
    const answered = answers.filter((answer) => answer !== undefined);
    const scrape = scrapeFigures(answered.length, answers.length - answered.length);
    const all = [...answered, await own.getMetricsAsJSON(), await scrape.getMetricsAsJSON()];
    return AggregatorRegistry.aggregate(all).metrics();
  });
}

/** Returns the metrics of all workers, so that any of them can be scraped. Runs in a worker. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  answerPrimary(OF_ONE, () => registry.getMetricsAsJSON());
  const ask = askPrimary<null, string>(OF_ALL, PRIMARY_TIMEOUT_MS);
  // A worker that is being replaced is no longer connected to the primary.
  const ofThis = async () => [await registry.metrics(), await scrapeFigures(1, 1).metrics()].join('');
  return () => ask(null).catch(ofThis);
}

function scrapeFigures(answered: number, silent: number): Registry {
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'gatehouse_metrics_processes',
    help: 'Processes whose figures are in this answer (answered="yes"), and those that gave none in time (answered="no")',
    labelNames: ['answered'],
    registers: [registry],
  });
  gauge.set({ answered: 'yes' }, answered);
  gauge.set({ answered: 'no' }, silent);
  return registry;
}
