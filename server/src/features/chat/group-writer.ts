import { Refusal } from '../../refusal.ts';

const GROUP_SIZE = 1000;
const RETRY_AFTER_S = 1;

export interface GroupWriter<T> {
  /** Resolves when the items are durable; refuses at once when too many wait already. */
  write(items: readonly T[]): Promise<void>;
  waiting(): number;
  /** Resolves when everything taken in so far is written. */
  drain(): Promise<void>;
}

interface Waiting<T> {
  readonly items: readonly T[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Group commit: while one group is being written, the next gathers, so that concurrent callers share one insert and
 * one flush to disk. Nobody is answered before their items are durable; a group that fails fails all who share it.
 */
export function groupWriter<T>(
  keep: (items: readonly T[]) => Promise<void>,
  capacity: () => number,
): GroupWriter<T> {
  let queue: Waiting<T>[] = [];
  let held = 0;
  let running: Promise<void> | undefined;

  function nextGroup(): Waiting<T>[] {
    let size = 0;
    const end = queue.findIndex(({ items }) => {
      size += items.length;
      return size > GROUP_SIZE;
    });
    const group = queue.slice(0, end === -1 ? queue.length : Math.max(1, end));
    queue = queue.slice(group.length);
    return group;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const group = nextGroup();
      const items = group.flatMap((each) => each.items);
      try {
        await keep(items);
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
      held -= items.length;
    }
    running = undefined;
  }

  return {
    write(items) {
      if (held + items.length > capacity())
        return Promise.reject(new Refusal('unavailable', { retryAfter: RETRY_AFTER_S }));
      held += items.length;
      return new Promise((done, failed) => {
        queue.push({ items, done, failed });
        // Starts after this turn of the event loop, so that what arrived together is written together.
        running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run);
      });
    },
    waiting: () => held,
    drain: () => running ?? Promise.resolve(),
  };
}
