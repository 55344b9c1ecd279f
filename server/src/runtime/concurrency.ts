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

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent work per key; the rest waits in order of arrival. One key cannot take all of a shared resource. */
export function keyedConcurrency(most: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lanes = new Map<string, Lane>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    return lane;
  }

  return async (key, work) => {
    const lane = laneOf(key);
    if (lane.running >= most) await new Promise<void>((resolve) => lane.waiting.push(resolve));
    else lane.running += 1;
    try {
      return await work();
    } finally {
      // The next waiting one takes over this place.
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
    }
  };
}
