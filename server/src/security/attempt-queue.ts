import type { Attempt, AttemptStore, Busy, Claim, Free, Outcome, Over } from './attempt-store.ts';
import { UNLIMITED } from './throttle.ts';

/** What other processes settle is not announced: the first in a queue looks again so often. */
const RETRY_MS = 25;
/** The attempts under way take milliseconds, unless the database is away. */
const PATIENCE_MS = 5000;
const MAX_WAITING = 1000;

type Taken = Free | Busy | Over;
export type Admission = Free | Over;

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
 * Admits attempts in the order of arrival. Where every place is taken and some by attempts under way, the next ones wait
 * for those instead of being refused: a page and a launcher may log in at the same time. Right and wrong ones wait alike,
 * as neither is judged yet.
 */
export function attemptQueue(store: AttemptStore) {
  const queues = new Map<string, Queue>();
  let attempts = 0;

  function openQueue(id: string): Queue {
    const queue = { id, waiting: [], wake: () => {} };
    queues.set(id, queue);
    return queue;
  }

  function wait(attempt: Attempt, id: string): Admission | Promise<Admission> {
    const queue = queues.get(id) ?? openQueue(id);
    if (queue.waiting.length >= MAX_WAITING) return { state: 'over', id, retryAfter: 1 };
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    queue.waiting.push({ attempt, deadline: performance.now() + PATIENCE_MS, resolve, reject });
    if (queue.waiting.length === 1) void serve(queue);
    return promise.then((taken) => waitIfBusy(attempt, taken));
  }

  const waitIfBusy = (attempt: Attempt, taken: Taken): Admission | Promise<Admission> =>
    taken.state === 'busy' ? wait(attempt, taken.id) : taken;

  /** Serves a queue until it is empty. Only its first one looks for a free place, so the order holds. */
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
    /** An attempt of this process; nothing is counted yet. */
    attempt: (claims: readonly Claim[]): Attempt => ({ id: ++attempts, claims }),
    /** Takes a place in every counter: at once where the store is in this process and nobody is in the way. */
    admit(attempt: Attempt): Admission | Promise<Admission> {
      const isBehind = ({ id, limit }: Claim) => limit < UNLIMITED && queues.has(id);
      const behind = queues.size > 0 ? attempt.claims.find(isBehind) : undefined;
      if (behind) return wait(attempt, behind.id);
      const taken = store.take(attempt);
      return taken instanceof Promise
        ? taken.then((each) => waitIfBusy(attempt, each))
        : waitIfBusy(attempt, taken);
    },
    /** Not waited for: until the store knows, the places are taken. */
    settle(attempt: Attempt, outcome: Outcome): void {
      const settled = store.settle(attempt, outcome);
      // What cannot be settled is free again when its lease ends.
      if (settled) settled.catch(() => {});
      if (queues.size > 0) for (const { id } of attempt.claims) queues.get(id)?.wake();
    },
    clear: (id: string) => store.clear(id),
  };
}
