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

/** Whether the work was done in time, where going on without it is fine. An error before that is thrown. */
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
