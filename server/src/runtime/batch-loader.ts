import DataLoader from 'dataloader';
import { scheduleBatch } from './batch-scheduler.ts';

/**
 * Keys loaded during one event-loop iteration become one call of `loadBatch`, at most `maxBatchSize` at a time: a query
 * costs far more than one more row in its result. The results are in the order of the keys. An error rejects every load
 * of its batch. Without DataLoader's cache: what one request has read must not answer the next.
 */
export function batchLoader<Key, Result>(
  maxBatchSize: number,
  loadBatch: (keys: readonly Key[]) => Promise<Result[]>,
): (key: Key) => Promise<Result> {
  const loader = new DataLoader(loadBatch, { cache: false, maxBatchSize, batchScheduleFn: scheduleBatch });
  return (key) => loader.load(key);
}
