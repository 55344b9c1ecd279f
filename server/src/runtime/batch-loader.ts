import { scheduleBatch } from './batch-scheduler.ts';

interface Pending<Key, Result> {
  readonly key: Key;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * DataLoader without its cache: keys loaded during one event-loop iteration become one call of `loadBatch`, in chunks of
 * `maxBatchSize`. A query costs far more than one more row in its result. An error rejects every load of its chunk.
 */
export function batchLoader<Key, Result>(
  maxBatchSize: number,
  loadBatch: (keys: Key[]) => Promise<(key: Key) => Result>,
): (key: Key) => Promise<Result> {
  let pending: Pending<Key, Result>[] = [];

  async function load(batch: readonly Pending<Key, Result>[]): Promise<void> {
    try {
      const resultOf = await loadBatch(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(resultOf(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function dispatch(): void {
    const all = pending;
    pending = [];
    for (let start = 0; start < all.length; start += maxBatchSize)
      load(all.slice(start, start + maxBatchSize));
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) scheduleBatch(dispatch);
      pending.push({ key, resolve, reject });
    });
}
