/**
 * Returns the result of the work, or throws the timeout's error if it takes longer. Does not cancel the work. Reads pending input
 * before rejecting: if this process was suspended, the work is not at fault. With `ref: false` it does not keep the process
 * running.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  timeoutError: () => Error,
  { ref = true } = {},
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), ms);
  if (!ref) timer.unref();
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reports whether the work finished in time, for callers that can do without it. Throws if it failed before that. */
export async function doneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new Error('late');
  try {
    await withTimeout(work, ms, () => late);
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
}

/** Resolves `ms` after the call. Calls in one event-loop iteration share a timer. */
export function sharedDelay(ms: number): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () => {
    if (current === undefined) {
      current = new Promise((resolve) => {
        setTimeout(resolve, ms);
      });
      setImmediate(() => {
        current = undefined;
      });
    }
    return current;
  };
}
