import { scheduleBatch } from '../runtime/batch-scheduler.ts';
import { DatabaseUnavailable } from './errors.ts';

/** A write queued for longer than this is rejected; none of its items was sent. */
const QUEUE_TIMEOUT_MS = 10_000;

export interface GroupWriter<T> {
  /** Resolves when the items are durable. */
  write(items: readonly T[]): Promise<void>;
  /** Number of items accepted but not yet written. */
  waiting(): number;
  /** Resolves when everything accepted so far is written. */
  drain(): Promise<void>;
}

interface Waiting<T> {
  readonly items: readonly T[];
  readonly since: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Group commit: while one group is being written, the next is collected, so that concurrent callers share one statement and one
 * flush to disk. Groups are written one after another, which keeps items in order. A write resolves when its items are durable; a
 * failing group rejects every write in it.
 */
export function groupWriter<T>(
  groupSize: number,
  writeGroup: (items: readonly T[]) => Promise<void>,
): GroupWriter<T> {
  let queue: Waiting<T>[] = [];
  let waitingItems = 0;
  let running: Promise<void> | undefined;

  function nextGroup(): Waiting<T>[] {
    let size = 0;
    const end = queue.findIndex(({ items }) => {
      size += items.length;
      return size > groupSize;
    });
    const group = queue.slice(0, end === -1 ? queue.length : Math.max(1, end));
    queue = queue.slice(group.length);
    return group;
  }

  function rejectExpired(): void {
    const oldest = performance.now() - QUEUE_TIMEOUT_MS;
    for (let [next] = queue; next !== undefined && next.since < oldest; [next] = queue) {
      queue.shift();
      waitingItems -= next.items.length;
      next.failed(new DatabaseUnavailable('earlier writes took too long'));
    }
  }

  async function run(): Promise<void> {
    for (; queue.length > 0; rejectExpired()) {
      const group = nextGroup();
      const items = group.flatMap((each) => each.items);
      try {
        await writeGroup(items);
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
      waitingItems -= items.length;
    }
    running = undefined;
  }

  return {
    write(items) {
      waitingItems += items.length;
      return new Promise((done, failed) => {
        queue.push({ items, since: performance.now(), done, failed });
        running ??= new Promise<void>(scheduleBatch).then(run);
      });
    },
    waiting: () => waitingItems,
    drain: () => running ?? Promise.resolve(),
  };
}
