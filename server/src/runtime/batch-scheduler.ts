let queued: (() => void)[] = [];
let rounds = 0;

/** A chain of promises that schedules again and again must not keep newly arrived I/O waiting. */
const MAX_ROUNDS = 10;

/**
 * Calls back at the end of this event-loop iteration, after all of its I/O callbacks (the trick of DataLoader). Requests
 * that arrived in one epoll wake-up are then handled together, step by step: one statement for many lookups, one run of
 * writes for many responses. A callback may schedule again, synchronously or from promises that resolve meanwhile, and is
 * called in the same iteration after the others. A callback must not throw.
 */
export function scheduleBatch(callback: () => void): void {
  queued.push(callback);
  if (rounds > 0) return;
  rounds = 1;
  setImmediate(runQueued);
}

function runQueued(): void {
  // Grows while it is iterated.
  for (const callback of queued) callback();
  queued = [];
  // The tick comes after all promise jobs that are ready by now.
  queueMicrotask(() => process.nextTick(runNextRound));
}

function runNextRound(): void {
  if (queued.length === 0) rounds = 0;
  else if (rounds++ < MAX_ROUNDS) runQueued();
  else {
    rounds = 1;
    setImmediate(runQueued);
  }
}
