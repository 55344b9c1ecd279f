import DataLoader from 'dataloader';
import { scheduleBatch } from './batch-scheduler.ts';

/**
 * Batches the keys of one event-loop iteration into one call of `loadBatch`, at most `maxBatchSize` at a time: a query costs
 * far more than another row in its result. The results must be in the order of the keys. An error rejects every load of its
 * batch. Has no cache: no request may get data read for an earlier one.
 */
export function batchLoader<Key, Result>(
  maxBatchSize: number,
  loadBatch: (keys: readonly Key[]) => Promise<Result[]>,
): (key: Key) => Promise<Result> {
  const loader = new DataLoader(loadBatch, { cache: false, maxBatchSize, batchScheduleFn: scheduleBatch });
  return (key) => loader.load(key);
}
