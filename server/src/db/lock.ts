/** A first-come, first-served lock. Waiting is bounded, so that a lock that is never released blocks nothing for good. */
export interface Lock {
  acquire(): Promise<void>;
  release(): void;
}

export function createLock(timeoutMs: number, timeoutError: () => Error): Lock {
  const waiting = new Set<() => void>();
  let held = false;

  return {
    acquire() {
      if (!held) {
        held = true;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(enter);
          reject(timeoutError());
        }, timeoutMs);
        const enter = () => {
          clearTimeout(timer);
          // A row of waiting writers would otherwise run without a pause, and nothing else of the process meanwhile.
          setImmediate(resolve);
        };
        waiting.add(enter);
      });
    },
    release() {
      const [next] = waiting;
      if (next === undefined) {
        held = false;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
