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

const COMPACT_AFTER_MS = 60_000;
/** How many new counts are opened before empty ones are removed. */
const MIN_ROOM = 500;
/** Upper bound, about 50 MB. Drops the oldest first; it takes at least a quarter as many wrong guesses to reach it. */
const MAX_COUNTS = 300_000;
const FREE: Free = { state: 'free' };

interface Count {
  wrong: number;
  windowEndsAt: number;
  underWay: number;
}

/** Counts in the memory of this process. Uses no timer per key: expired counts are reset on access. */
export function memoryAttempts(now: () => number = wholeMilliseconds): AttemptStore {
  let counts = new Map<string, Count>();
  let room = MIN_ROOM;
  let compactedAt = now();

  function refresh(count: Count, at: number): Count {
    if (count.windowEndsAt <= at) count.wrong = 0;
    return count;
  }

  /**
   * Copies the counts in use to a new map. A map whose entries are deleted one by one allocates its table again every few
   * milliseconds, and V8 links each table to its successor: after one table reaches the old generation, the garbage collector
   * moves all later ones there with their entries, ten megabytes a second under load.
   */
  function compact(at: number): void {
    const used = new Map<string, Count>();
    for (const [id, count] of counts) {
      const { wrong, underWay } = refresh(count, at);
      if (wrong > 0 || underWay > 0) used.set(id, count);
    }
    counts = used;
    room = Math.ceil(used.size * 1.25) + MIN_ROOM;
    compactedAt = at;
  }

  function open(id: string, at: number): Count {
    if (counts.size >= room || at - compactedAt >= COMPACT_AFTER_MS) compact(at);
    if (counts.size >= MAX_COUNTS) for (const oldest of counts.keys().take(1)) counts.delete(oldest);
    const count = { wrong: 0, windowEndsAt: 0, underWay: 0 };
    counts.set(id, count);
    return count;
  }

  function fullOf({ id, limit }: Claim, at: number): Busy | Over | undefined {
    const known = counts.get(id);
    if (!known) return undefined;
    const { wrong, underWay, windowEndsAt } = refresh(known, at);
    if (wrong >= limit) return { state: 'over', id, retryAfter: wholeSeconds(windowEndsAt - at) };
    return wrong + underWay >= limit ? { state: 'busy', id } : undefined;
  }

  function settleOne(claim: Claim, outcome: Outcome): void {
    const count = counts.get(claim.id) ?? open(claim.id, now());
    if (count.underWay > 0) count.underWay -= 1;
    if (outcome === 'wrong') {
      const at = now();
      refresh(count, at);
      if (count.wrong === 0) count.windowEndsAt = at + claim.window * 1000;
      count.wrong += 1;
    } else if (outcome === 'right' && claim.clearedByRight) count.wrong = 0;
  }

  return {
    take({ claims }) {
      const at = now();
      for (const claim of claims) {
        const full = fullOf(claim, at);
        if (full) return full;
      }
      for (const { id } of claims) (counts.get(id) ?? open(id, at)).underWay += 1;
      return FREE;
    },
    settle({ claims }, outcome) {
      for (const claim of claims) settleOne(claim, outcome);
    },
    clear(id) {
      const count = counts.get(id);
      if (count) count.wrong = 0;
    },
  };
}
