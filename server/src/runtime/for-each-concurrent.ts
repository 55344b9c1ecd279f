/** Processes the items in order, at most `concurrency` at a time, until the signal aborts. Returns how many were not started. */
export async function forEachConcurrent<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<number> {
  const queue = [...items];
  async function worker(): Promise<void> {
    while (!signal?.aborted) {
      const item = queue.shift();
      if (item === undefined) return;
      await work(item);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return queue.length;
}
