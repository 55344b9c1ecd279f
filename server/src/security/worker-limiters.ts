import { RateLimiterCluster } from 'rate-limiter-flexible';
import { type LimiterFactory, limiter, UNLIMITED } from './throttle.ts';

/** Counted in the process above the workers, for all of them together. */
export const workerLimiters: LimiterFactory = (name, limit) =>
  limiter(
    (window) =>
      // A limiter is known there by its prefix alone, so a window that changed must be another one.
      new RateLimiterCluster({ keyPrefix: `${name}:${window}`, points: UNLIMITED, duration: window }),
    limit,
  );
