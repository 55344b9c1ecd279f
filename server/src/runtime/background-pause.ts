import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Background work pauses this many times as long as it took. */
const PAUSE_FACTOR = 3;
const BUSY = 0.5;
const BUSY_PAUSE_MS = 1000;

/** Reports at each call whether the process was busy since the previous one. */
export function busyMeter(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization > BUSY;
  };
}

/** Pauses after a piece of background work: briefly, and much longer if requests keep the process busy. */
export async function backgroundPause(workMs: number): Promise<void> {
  const wasBusy = busyMeter();
  await sleep(workMs * PAUSE_FACTOR);
  if (wasBusy()) await sleep(BUSY_PAUSE_MS);
}
