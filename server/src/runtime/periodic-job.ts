export interface PeriodicJob {
  close(): void;
}

/** Runs the job every `intervalMs`, the first time after one interval, so that a start is not slowed down by it. */
export function periodicJob(
  intervalMs: number,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void,
): PeriodicJob {
  const timer = setInterval(() => void run().catch(onError), intervalMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
