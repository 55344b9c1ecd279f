import type { Redis, Result } from 'ioredis';
import {
  type Attempt,
  type AttemptStore,
  type Claim,
  memoryAttempts,
  type Outcome,
  wholeSeconds,
} from '../security/attempt-store.ts';
import { randomId } from '../security/random-id.ts';

/**
 * KEYS: for each counter the number of wrong attempts, and the pending attempts by the end of their lease. ARGV: the attempt, the
 * lease, each counter's limit. Returns nothing, or the index of the counter that is full and for how many milliseconds: -1 if
 * pending attempts fill it.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, #KEYS, 2 do
  local limit, wrong = tonumber(ARGV[(i + 5) / 2]), tonumber(redis.call('GET', KEYS[i]) or 0)
  if wrong >= limit then return { (i - 1) / 2, redis.call('PTTL', KEYS[i]) } end
  redis.call('ZREMRANGEBYSCORE', KEYS[i + 1], '-inf', now)
  if wrong + redis.call('ZCARD', KEYS[i + 1]) >= limit then return { (i - 1) / 2, -1 } end
end
for i = 2, #KEYS, 2 do
  redis.call('ZADD', KEYS[i], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[i], ARGV[2])
end
return {}`;

/** KEYS: as above. ARGV: the attempt, and for each counter the window of one more wrong attempt, 0 for none, -1 to reset it. */
const SETTLE = `
for i = 1, #KEYS, 2 do
  redis.call('ZREM', KEYS[i + 1], ARGV[1])
  local window = tonumber(ARGV[(i + 3) / 2])
  if window < 0 then redis.call('DEL', KEYS[i])
  elseif window > 0 and redis.call('INCR', KEYS[i]) == 1 then redis.call('PEXPIRE', KEYS[i], window) end
end`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeAttempt(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number[], Context>;
    settleAttempt(keyCount: number, ...keysAndArguments: (string | number)[]): Result<null, Context>;
  }
}

/** A process that exits never settles its pending attempts: their slots are freed after this long. */
const LEASE_MS = 20_000;

const wrongKey = (id: string) => `gatehouse:${id}`;
const keysOf = (claims: readonly Claim[]) =>
  claims.flatMap(({ id }) => [wrongKey(id), `gatehouse:under_way:${id}`]);

function windowOf({ window, clearedByRight }: Claim, outcome: Outcome): number {
  if (outcome === 'wrong') return window * 1000;
  return outcome === 'right' && clearedByRight ? -1 : 0;
}

/** Counts attempts across all instances, each atomically. While Redis is unavailable, each process counts on its own. */
export function redisAttempts(redis: Redis): AttemptStore {
  redis.defineCommand('takeAttempt', { lua: TAKE });
  redis.defineCommand('settleAttempt', { lua: SETTLE });
  const memory = memoryAttempts();
  const processId = randomId();
  const nameOf = ({ id }: Attempt) => `${processId}-${id}`;
  const takenInMemory = new WeakSet<Attempt>();

  function settleInRedis(attempt: Attempt, outcome: Outcome): Promise<null> {
    const { claims } = attempt;
    const windows = claims.map((claim) => windowOf(claim, outcome));
    return redis.settleAttempt(2 * claims.length, ...keysOf(claims), nameOf(attempt), ...windows);
  }

  return {
    async take(attempt) {
      const { claims } = attempt;
      let full: number[];
      try {
        const limits = claims.map(({ limit }) => limit);
        full = await redis.takeAttempt(
          2 * claims.length,
          ...keysOf(claims),
          nameOf(attempt),
          LEASE_MS,
          ...limits,
        );
      } catch {
        // A slow Redis may execute it later, and the place would stay taken until the lease ends.
        settleInRedis(attempt, 'undecided').catch(() => {});
        takenInMemory.add(attempt);
        return memory.take(attempt);
      }
      takenInMemory.delete(attempt);
      const [index = -1, ttl = -1] = full;
      const id = claims[index]?.id;
      if (id === undefined) return { state: 'free' };
      return ttl < 0 ? { state: 'busy', id } : { state: 'over', id, retryAfter: wholeSeconds(ttl) };
    },
    async settle(attempt, outcome) {
      if (takenInMemory.has(attempt)) return memory.settle(attempt, outcome);
      try {
        await settleInRedis(attempt, outcome);
      } catch {
        await memory.settle(attempt, outcome);
      }
    },
    async clear(id) {
      memory.clear(id);
      await redis.del(wrongKey(id)).catch(() => {});
    },
  };
}
