import type { Attempt, AttemptStore, Busy, Claim, Free, Outcome, Over } from './attempt-store.ts';
import { UNLIMITED } from './throttle.ts';

/** How often the first in a queue retries: other processes do not announce the places they free. */
const RETRY_MS = 25;
/** How long an attempt waits. Those under way take milliseconds, a right code as long as what it authorizes. */
const PATIENCE_MS = 5000;
const MAX_WAITING = 1000;

type Taken = Free | Busy | Over;
export type Admission = Free | Over;

/** Counts attempts of all queues: the primary process tells those of a worker apart by their ids, and there are two queues. */
let attempts = 0;

interface Waiting {
  readonly attempt: Attempt;
  readonly deadline: number;
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly id: string;
  readonly waiting: Waiting[];
  wake: () => void;
}

/**
 * Admits attempts in the order of arrival. If every place of a counter is taken and some by attempts under way, the next ones
 * wait for those instead of being refused: a page and a launcher may log in at the same time. Right and wrong attempts wait
 * alike, as neither is judged yet.
 */
export function attemptQueue(store: AttemptStore, patienceMs = PATIENCE_MS) {
  const queues = new Map<string, Queue>();

  function openQueue(id: string): Queue {
    const queue = { id, waiting: [], wake: () => {} };
    queues.set(id, queue);
    return queue;
  }

  function wait(attempt: Attempt, id: string): Admission | Promise<Admission> {
    const queue = queues.get(id) ?? openQueue(id);
    if (queue.waiting.length >= MAX_WAITING) return { state: 'over', id, retryAfter: 1 };
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    queue.waiting.push({ attempt, deadline: performance.now() + patienceMs, resolve, reject });
    if (queue.waiting.length === 1) void serve(queue);
    return promise.then((taken) => waitIfBusy(attempt, taken));
  }

  const waitIfBusy = (attempt: Attempt, taken: Taken): Admission | Promise<Admission> =>
    taken.state === 'busy' ? wait(attempt, taken.id) : taken;

  /** Serves a queue until it is empty. Only the first attempt looks for a free place, which keeps the order. */
  async function serve(queue: Queue): Promise<void> {
    for (let first = queue.waiting[0]; first; first = queue.waiting[0]) {
      try {
        const taken = await store.take(first.attempt);
        const isBusy = taken.state === 'busy' && taken.id === queue.id;
        if (isBusy && performance.now() < first.deadline) {
          await placeFreed(queue);
          continue;
        }
        first.resolve(isBusy ? { state: 'over', id: queue.id, retryAfter: 1 } : taken);
        if (taken.state === 'over' && taken.id === queue.id)
          for (const each of queue.waiting.splice(1)) each.resolve(taken);
      } catch (error) {
        first.reject(error);
      }
      queue.waiting.shift();
    }
    queues.delete(queue.id);
  }

  function placeFreed(queue: Queue): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      queue.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    /** Creates an attempt of this process. Counts nothing yet. */
    attempt: (claims: readonly Claim[]): Attempt => ({ id: ++attempts, claims }),
    /** Takes a place in every counter. Synchronous if the store is in this process and the attempt need not wait. */
    admit(attempt: Attempt): Admission | Promise<Admission> {
      const isBehind = ({ id, limit }: Claim) => limit < UNLIMITED && queues.has(id);
      const behind = queues.size > 0 ? attempt.claims.find(isBehind) : undefined;
      if (behind) return wait(attempt, behind.id);
      const taken = store.take(attempt);
      return taken instanceof Promise
        ? taken.then((each) => waitIfBusy(attempt, each))
        : waitIfBusy(attempt, taken);
    },
    /** Does not wait for the store. Until it has settled the attempt, the places stay taken. */
    settle(attempt: Attempt, outcome: Outcome): void {
      const settled = store.settle(attempt, outcome);
      // A failed settlement frees its places when the lease ends.
      if (settled) settled.catch(() => {});
      if (queues.size > 0) for (const { id } of attempt.claims) queues.get(id)?.wake();
    },
    clear: (id: string) => store.clear(id),
  };
}
