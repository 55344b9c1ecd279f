/** A first-come, first-served lock. Waiting is bounded, so that a lock that is never released cannot block forever. */
export function createLock(timeoutMs: number, timeoutError: () => Error) {
  const waiting = new Set<() => void>();
  let isHeld = false;

  return {
    acquire() {
      if (!isHeld) {
        isHeld = true;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(enter);
          reject(timeoutError());
        }, timeoutMs);
        const enter = () => {
          clearTimeout(timer);
          // Yield to the event loop; otherwise a queue of writers would starve the rest of the process.
          setImmediate(resolve);
        };
        waiting.add(enter);
      });
    },
    /** Number of callers that wait. */
    waiting: () => waiting.size,
    release() {
      const [next] = waiting;
      if (next === undefined) {
        isHeld = false;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}

export type Lock = ReturnType<typeof createLock>;
