import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** So many points per window; settings give them in seconds. */
export interface Limit {
  readonly limit: number;
  readonly window: number;
}

export interface Verdict {
  readonly over: boolean;
  /** Seconds until the window ends. */
  readonly retryAfter: number;
}

/** Counts by key within a window. One in memory, one in Redis; the same code decides in both. */
export interface Limiter {
  /** Counts one; over when that was more than the limit allows. */
  hit(key: string): Promise<Verdict>;
  /** Counts nothing; over when the limit is used up. */
  peek(key: string): Promise<Verdict>;
  /** Takes one hit back. */
  undo(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

/** Makes the limiters of one kind of store. The limit is asked for at every use, so that a reload takes effect. */
export type LimiterFactory = (name: string, limit: () => Limit) => Limiter;

interface Store {
  consume(key: string, points: number): Promise<RateLimiterRes>;
  get(key: string): Promise<RateLimiterRes | null>;
  reward(key: string, points: number): Promise<RateLimiterRes>;
  delete(key: string): Promise<boolean>;
}

/** A store counts without a limit of its own; the limit of the moment is applied to what it says. */
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
  const verdict = (count: RateLimiterRes | null, spare: number): Verdict => ({
    over: (count?.consumedPoints ?? 0) > limit().limit - spare,
    retryAfter: Math.max(1, Math.ceil((count?.msBeforeNext ?? 0) / 1000)),
  });
  return {
    hit: async (key) => verdict(await current().consume(key, 1), 0),
    peek: async (key) => verdict(await current().get(key), 1),
    undo: async (key) => void (await current().reward(key, 1)),
    clear: async (key) => void (await current().delete(key)),
  };
}

export const memoryLimiters: LimiterFactory = (name, limit) =>
  limiter((window) => new RateLimiterMemory({ keyPrefix: name, points: UNLIMITED, duration: window }), limit);
