import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { type LimiterFactory, limiter, UNLIMITED } from '../security/throttle.ts';

const COMMAND_TIMEOUT_MS = 300;
const RECONNECT_MAX_MS = 1000;

export interface RedisLimiters {
  readonly limiters: LimiterFactory;
  ping(): Promise<void>;
  close(): void;
}

/** Counters shared by all instances. While Redis is away each process counts for itself. */
export function openRedisLimiters(
  url: string,
  log: { warn(fields: object, message: string): void },
): RedisLimiters {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS * 3,
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(times * 50, RECONNECT_MAX_MS),
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) log.warn({ err: error }, 'Redis is away: every process throttles for itself');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.warn({}, 'Redis is back: throttles are shared again');
    away = false;
  });

  return {
    limiters: (name, limit) =>
      limiter((window) => {
        const options = { keyPrefix: `gatehouse:${name}`, points: UNLIMITED, duration: window };
        return new RateLimiterRedis({
          ...options,
          storeClient: redis,
          insuranceLimiter: new RateLimiterMemory(options),
        });
      }, limit),
    async ping() {
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}
