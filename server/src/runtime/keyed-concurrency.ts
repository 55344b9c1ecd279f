interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs at most so many at once for each key, the others in the order they came: one key cannot take what all share. */
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
      // Whoever waits next takes the place over.
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(key);
    }
  };
}
