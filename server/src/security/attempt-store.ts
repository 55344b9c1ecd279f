import { wholeMilliseconds } from './throttle.ts';

/** A counter in which an attempt takes a place. Attempts under way and wrong attempts share its places. */
export interface Claim {
  /** The counter's name and its key. */
  readonly id: string;
  readonly limit: number;
  /** Seconds from the first wrong attempt until all are cleared. */
  readonly window: number;
  /** Whether a right attempt clears the earlier wrong ones. */
  readonly clearedByRight: boolean;
}

export interface Attempt {
  /** Unique in its process. */
  readonly id: number;
  readonly claims: readonly Claim[];
}

/** A place was taken in every counter. */
export interface Free {
  readonly state: 'free';
}

/** All places of one counter are taken, some by attempts under way, which free theirs if they are right. */
export interface Busy {
  readonly state: 'busy';
  readonly id: string;
}

/** Wrong attempts alone fill one counter. */
export interface Over {
  readonly state: 'over';
  readonly id: string;
  /** Seconds. */
  readonly retryAfter: number;
}

export type Outcome = 'right' | 'wrong' | 'undecided';

/**
 * Counts attempts before they are judged. An attempt takes a place in all of its counters, or in none. A wrong one keeps its
 * places until the window ends; any other frees them.
 */
export interface AttemptStore {
  take(attempt: Attempt): Free | Busy | Over | Promise<Free | Busy | Over>;
  settle(attempt: Attempt, outcome: Outcome): void | Promise<void>;
  /** Clears the wrong attempts of one counter. */
  clear(id: string): void | Promise<void>;
}

export const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

const SWEEP_MS = 60_000;
/** How many counts are opened before those without an attempt under way are dropped. */
const MIN_OPENED = 500;
/** Upper bound, about 50 MB. Drops the oldest first; it takes at least a third as many wrong guesses to reach it. */
const MAX_COUNTS = 300_000;
const FREE: Free = { state: 'free' };

interface Count {
  wrong: number;
  windowEndsAt: number;
  underWay: number;
}

export type MemoryAttempts = ReturnType<typeof memoryAttempts>;

/** Counts in the memory of this process. Uses no timer per key: expired counts are reset on access or swept. */
export function memoryAttempts(now: () => number = wholeMilliseconds) {
  /** Counts that have had a wrong attempt, until they are swept. */
  const counts = new Map<string, Count>();
  /**
   * Counts opened recently; most never have a wrong attempt. They are not deleted one by one, because a map with many deletions
   * often allocates a new table and V8 links each table to its successor: after one table reaches the old generation, the garbage
   * collector moves all later ones there with their entries, ten megabytes a second under load.
   */
  let opened = new Map<string, Count>();
  let maxOpened = MIN_OPENED;
  let sweptAt = now();

  const find = (id: string) => opened.get(id) ?? counts.get(id);

  function refresh(count: Count, at: number): Count {
    if (count.windowEndsAt <= at) count.wrong = 0;
    return count;
  }

  function sweep(at: number): void {
    sweptAt = at;
    for (const [id, count] of counts) {
      const { wrong, underWay } = refresh(count, at);
      if (wrong === 0 && underWay === 0) counts.delete(id);
    }
  }

  function dropSettled(): void {
    const underWay = new Map<string, Count>();
    for (const [id, count] of opened) if (count.underWay > 0) underWay.set(id, count);
    opened = underWay;
    maxOpened = 2 * underWay.size + MIN_OPENED;
  }

  function open(id: string): Count {
    if (opened.size >= maxOpened) dropSettled();
    const count = { wrong: 0, windowEndsAt: 0, underWay: 0 };
    opened.set(id, count);
    return count;
  }

  function keep(id: string, count: Count): void {
    if (counts.size >= MAX_COUNTS) for (const oldest of counts.keys().take(1)) counts.delete(oldest);
    counts.set(id, count);
  }

  function fullOf({ id, limit }: Claim, at: number): Busy | Over | undefined {
    const known = find(id);
    if (!known) return undefined;
    const { wrong, underWay, windowEndsAt } = refresh(known, at);
    if (wrong >= limit) return { state: 'over', id, retryAfter: wholeSeconds(windowEndsAt - at) };
    return wrong + underWay >= limit ? { state: 'busy', id } : undefined;
  }

  function settleOne({ id, window, clearedByRight }: Claim, outcome: Outcome): void {
    const count = find(id) ?? open(id);
    if (count.underWay > 0) count.underWay -= 1;
    if (outcome === 'wrong') {
      const at = now();
      refresh(count, at);
      if (count.wrong === 0) {
        count.windowEndsAt = at + window * 1000;
        keep(id, count);
      }
      count.wrong += 1;
    } else if (outcome === 'right' && clearedByRight) count.wrong = 0;
  }

  return {
    take({ claims }: Attempt): Free | Busy | Over {
      const at = now();
      if (at - sweptAt >= SWEEP_MS) sweep(at);
      for (const claim of claims) {
        const full = fullOf(claim, at);
        if (full) return full;
      }
      for (const { id } of claims) (find(id) ?? open(id)).underWay += 1;
      return FREE;
    },
    settle({ claims }: Attempt, outcome: Outcome): void {
      for (const claim of claims) settleOne(claim, outcome);
    },
    clear(id: string): void {
      const count = find(id);
      if (count) count.wrong = 0;
    },
  } satisfies AttemptStore;
}
