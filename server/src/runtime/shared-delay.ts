/** Resolves `ms` after it was asked for. What is asked for in one event-loop iteration shares a timer. */
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
