import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../logging/log.ts';
import { doneWithin } from '../runtime/with-timeout.ts';
import type { AttemptStore } from '../security/attempt-store.ts';
import { type LimiterFactory, limiter, memoryStore, UNLIMITED } from '../security/throttle.ts';
import { parseRedisUrl } from '../urls/redis-url.ts';
import { readTls } from '../urls/tls.ts';
import { redisAttempts } from './redis-attempts.ts';

/** How long a caller may wait for Redis before this process counts on its own. */
export interface RedisTimeouts {
  readonly commandMs: number;
  readonly connectMs: number;
  /**
   * How long a connection may be silent before it is closed; ioredis would keep every command until then. A process that was
   * suspended for longer reconnects.
   */
  readonly silentMs: number;
}

const usualTimeouts: RedisTimeouts = { commandMs: 300, connectMs: 900, silentMs: 5000 };
/** Immediates run after the poll phase, in which replies are read. */
const afterReading = setImmediate;
const RECONNECT_MAX_MS = 1000;

export interface RedisLimiters {
  readonly limiters: LimiterFactory;
  readonly attempts: AttemptStore;
  /** Resolves when the first connection is open or has failed. Until then, attempts are counted in memory. */
  connected(): Promise<void>;
  ping(): Promise<void>;
  /** Reports whether the connection is open. */
  isUp(): boolean;
  close(): void;
}

const retryStrategy = (times: number) => Math.min(times * 50, RECONNECT_MAX_MS);

/**
 * Unlike ioredis's commandTimeout, rejects only if the reply is missing after the process had a chance to read it. A burst that
 * keeps the process busy must not make it count on its own.
 */
function patientRedis(commandMs: number) {
  return class extends Redis {
    override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
      const reject = () => command.reject(new Error('Redis did not answer in time'));
      const timer = setTimeout(() => afterReading(() => afterReading(reject)), commandMs);
      const answered = () => clearTimeout(timer);
      command.promise.then(answered, answered);
      return super.sendCommand(command, stream);
    }
  };
}

/** Opens counters shared by all instances. While Redis is unavailable, each process counts on its own. */
export function openRedisLimiters(
  url: string,
  log: Pick<Log, 'warn'>,
  { commandMs, connectMs, silentMs }: RedisTimeouts = usualTimeouts,
): RedisLimiters {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new TypeError('the URL of Redis is not valid');
  const tls = address.tls && readTls(address.tls);
  const PatientRedis = patientRedis(commandMs);
  const redis = new PatientRedis({
    ...address,
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectMs,
    socketTimeout: silentMs,
    enableAutoPipelining: true,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
    // A frozen master keeps its connections open; the Sentinels report when another has taken over.
    failoverDetector: address.sentinels !== undefined,
  });
  const { promise: connected, resolve: settleConnected } = Promise.withResolvers<void>();
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) log.warn({ err: error }, 'Redis is unreachable: each process throttles on its own');
    away = true;
    settleConnected();
  });
  redis.on('ready', () => {
    if (away) log.warn({}, 'Redis is reachable again: throttles are shared');
    away = false;
    settleConnected();
  });

  return {
    limiters: (name, limit) =>
      limiter((window) => {
        const shared = new RateLimiterRedis({
          keyPrefix: `gatehouse:${name}`,
          points: UNLIMITED,
          duration: window,
          storeClient: redis,
        });
        const own = memoryStore(window);
        return {
          consume: (key, points) => shared.consume(key, points).catch(() => own.consume(key, points)),
          reward: (key, points) => shared.reward(key, points).catch(() => own.reward(key, points)),
        };
      }, limit),
    attempts: redisAttempts(redis),
    async connected() {
      await doneWithin(connected, connectMs);
    },
    async ping() {
      await redis.ping();
    },
    isUp: () => redis.status === 'ready',
    close: () => redis.disconnect(),
  };
}
