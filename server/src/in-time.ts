/** What the work comes to, or the error when it takes longer than this. The work itself is not stopped. */
export async function inTime<T>(work: Promise<T>, ms: number, tooLate: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
