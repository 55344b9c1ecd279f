let queued: (() => void)[] = [];
let rounds = 0;

/** Upper bound of rounds per iteration: a chain of promises that schedules repeatedly must not delay newly arrived I/O. */
const MAX_ROUNDS = 10;

/**
 * Calls back at the end of this event-loop iteration, after all of its I/O callbacks, as DataLoader does. Requests that arrived
 * in one epoll wake-up are then handled together: one statement for many lookups, one run of writes for many responses. A
 * callback may schedule again, synchronously or from promises that resolve meanwhile, and is called in the same iteration after
 * the others. A callback must not throw.
 */
export function scheduleBatch(callback: () => void): void {
  queued.push(callback);
  if (rounds > 0) return;
  rounds = 1;
  setImmediate(runQueued);
}

function runQueued(): void {
  // The loop also runs callbacks that are added meanwhile.
  for (const callback of queued) callback();
  queued = [];
  // The tick runs after all promise jobs that are ready by now.
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
