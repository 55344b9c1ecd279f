import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../logging/log.ts';
import { type LimiterFactory, limiter, storeOf, UNLIMITED } from '../security/throttle.ts';
import { parseRedisUrl } from '../urls/redis-url.ts';

const COMMAND_TIMEOUT_MS = 300;
const RECONNECT_MAX_MS = 1000;

export interface RedisLimiters {
  readonly limiters: LimiterFactory;
  ping(): Promise<void>;
  close(): void;
}

const retryStrategy = (times: number) => Math.min(times * 50, RECONNECT_MAX_MS);

/** Counters shared by all instances. While Redis is away each process counts for itself. */
export function openRedisLimiters(url: string, log: Pick<Log, 'warn'>): RedisLimiters {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new TypeError('the address of Redis cannot be understood');
  const redis = new Redis({
    ...address,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS * 3,
    enableAutoPipelining: true,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
    // A frozen master keeps its connections open: the Sentinels tell when another has taken over.
    failoverDetector: address.sentinels !== undefined,
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
        const counting = { keyPrefix: `gatehouse:${name}`, points: UNLIMITED, duration: window };
        return storeOf(
          new RateLimiterRedis({
            ...counting,
            storeClient: redis,
            insuranceLimiter: new RateLimiterMemory(counting),
          }),
        );
      }, limit),
    async ping() {
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}
