import { Refusal } from '../refusal.ts';

/** A number of points per window, in seconds. */
export interface Limit {
  readonly limit: number;
  readonly window: number;
}

export interface Verdict {
  readonly over: boolean;
  /** Seconds until the window ends. */
  readonly retryAfter: number;
}

/** Counts by key within a window, in memory or in Redis. Both stores share this code. */
export interface Limiter {
  /** Adds points; over if that exceeds the limit. */
  hit(key: string, points?: number): Promise<Verdict>;
  /** Takes one hit back. */
  undo(key: string): Promise<void>;
}

/** Creates limiters for one kind of store. The limit is read on every use, so that a reload takes effect. */
export type LimiterFactory = (name: string, limit: () => Limit) => Limiter;

export interface Count {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** The methods used of a rate limiter. Both return the count after the change. */
export interface Store {
  consume(key: string, points?: number): Promise<Count | null>;
  reward(key: string, points?: number): Promise<Count | null>;
}

/** The limit given to stores, which only count: the current limit is compared with their count. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export function limiter(makeStore: (window: number) => Store, limit: () => Limit): Limiter {
  let window = limit().window;
  let store = makeStore(window);
  const current = () => {
    if (limit().window !== window) {
      window = limit().window;
      store = makeStore(window);
    }
    return store;
  };
  const verdict = (count: Count | null): Verdict => ({
    over: (count?.consumedPoints ?? 0) > limit().limit,
    retryAfter: Math.max(1, Math.ceil((count?.msBeforeNext ?? 0) / 1000)),
  });
  return {
    hit: async (key, points = 1) => verdict(await current().consume(key, points)),
    undo: async (key) => void (await current().reward(key)),
  };
}

/** The time since the start of the process. With fractions, the end of a window minus its start could be more than the window. */
export const wholeMilliseconds = () => Math.floor(performance.now());

/** Upper bound for the keys of one counter; at most some 15 MB. */
const MAX_KEYS = 100_000;

/**
 * Counts points by key within a window of seconds, in the memory of this process. All windows of a counter are equally
 * long, so the map is ordered by when they end: each new key drops up to two that have ended. If there are too many keys,
 * the oldest is dropped.
 */
export function windowCounter<Key>(
  window: number,
  { maxKeys = MAX_KEYS, now = wholeMilliseconds } = {},
): (key: Key, points: number) => Count {
  const counts = new Map<Key, { points: number; readonly endsAt: number }>();

  function open(key: Key, at: number) {
    counts.delete(key);
    for (const [oldest, { endsAt }] of counts.entries().take(2))
      if (endsAt <= at || counts.size >= maxKeys) counts.delete(oldest);
    const count = { points: 0, endsAt: at + window * 1000 };
    counts.set(key, count);
    return count;
  }

  return (key, points) => {
    const at = now();
    const known = counts.get(key);
    const count = known && known.endsAt > at ? known : open(key, at);
    count.points = Math.max(0, count.points + points);
    return { consumedPoints: count.points, msBeforeNext: count.endsAt - at };
  };
}

export function memoryStore(window: number): Store {
  const count = windowCounter<string>(window);
  return {
    consume: async (key, points = 1) => count(key, points),
    reward: async (key, points = 1) => count(key, -points),
  };
}

export const memoryLimiters: LimiterFactory = (_, limit) => limiter(memoryStore, limit);

/** Refuses a player who logs in or enters too often: each time adds a row to the history. */
export type PlayerLimit = (what: 'login' | 'enter', playerId: number) => void;

/** Counts in each process separately, which saves login and entry a round trip. */
export function createPlayerLimit(limit: () => Limit, refused: (throttle: string) => void): PlayerLimit {
  const openCounters = (window: number) => ({
    window,
    login: windowCounter<number>(window),
    enter: windowCounter<number>(window),
  });
  let counters = openCounters(limit().window);

  return (what, playerId) => {
    const { limit: most, window } = limit();
    if (counters.window !== window) counters = openCounters(window);
    const { consumedPoints, msBeforeNext } = counters[what](playerId, 1);
    if (consumedPoints <= most) return;
    const throttle = `player_${what}`;
    refused(throttle);
    throw new Refusal('too_many_attempts', { retryAfter: Math.ceil(msBeforeNext / 1000), throttle });
  };
}
