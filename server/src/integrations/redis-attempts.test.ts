import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../test-support/redis.ts';
import { sharedRedisUrl } from '../../../test-support/shared-servers.ts';
import { redisAttempts } from './redis-attempts.ts';

function connect(url = sharedRedisUrl(), options: { commandTimeout?: number } = {}) {
  const redis = new Redis(url, options);
  onTestFinished(() => redis.disconnect());
  const counter = randomUUID();
  let last = 0;
  const attempt = (limit: number) => ({
    id: ++last,
    claims: [{ id: counter, limit, window: 900, clearedByRight: true }],
  });
  return { redis, store: redisAttempts(redis), counter, attempt };
}

test('when pending attempts have taken all places, then the next is busy, and over once they were wrong', async () => {
  const { store, counter, attempt } = connect();
  const [one, two] = [attempt(2), attempt(2)];
  expect([await store.take(one), await store.take(two)]).toEqual([{ state: 'free' }, { state: 'free' }]);
  expect(await store.take(attempt(2))).toEqual({ state: 'busy', id: counter });
  await store.settle(one, 'wrong');
  await store.settle(two, 'undecided');
  const right = attempt(2);
  expect(await store.take(right)).toEqual({ state: 'free' });
  expect(await store.take(attempt(2))).toEqual({ state: 'busy', id: counter });
  expect(await store.take(attempt(1))).toEqual({ state: 'over', id: counter, retryAfter: 900 });
  await store.settle(right, 'right');
  expect(await store.take(attempt(1))).toEqual({ state: 'free' });
});

test('when a process ends with a pending attempt, then its place is free after the lease', async () => {
  const { redis, store, counter, attempt } = connect();
  const [lost, next] = [attempt(1), attempt(1)];
  await store.take(lost);
  expect(await store.take(next)).toEqual({ state: 'busy', id: counter });
  const key = `gatehouse:under_way:${counter}`;
  const [name = ''] = await redis.zrange(key, '0', '-1');
  const [seconds] = (await redis.time()).map(Number) as [number];
  expect(Number(await redis.zscore(key, name))).toBeGreaterThan(seconds * 1000);
  expect(await redis.pttl(key)).toBeGreaterThan(0);
  await redis.zadd(key, 'XX', seconds * 1000 - 1, name);
  expect(await store.take(next)).toEqual({ state: 'free' });
});

test('when Redis executes an attempt after its timeout, then the place does not stay taken', async () => {
  const server = await startRedis();
  onTestFinished(() => server.kill());
  const { redis, store, counter, attempt } = connect(server.url, { commandTimeout: 100 });
  const isAnswered = () => expect.poll(() => redis.ping().catch(() => 'late')).toBe('PONG');
  await isAnswered();
  server.freeze();
  expect(await store.take(attempt(1))).toEqual({ state: 'free' });
  server.thaw();
  // One connection: answered after everything that was sent before.
  await isAnswered();
  const { redis: patient } = connect(server.url);
  expect(await patient.zcard(`gatehouse:under_way:${counter}`)).toBe(0);
  expect(await store.take(attempt(1))).toEqual({ state: 'free' });
});
