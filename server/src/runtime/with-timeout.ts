/** The result of the work, or the timeout's error when it takes longer. The work itself is not cancelled. */
export async function withTimeout<T>(work: Promise<T>, ms: number, timeoutError: () => Error): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeoutError()), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
