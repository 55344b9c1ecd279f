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
