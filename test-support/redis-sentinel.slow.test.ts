import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisSentinel, startRedisSentinel } from './redis-sentinel.ts';
import { answers } from './server.ts';

/** A busy machine delays the sentinels too. */
const timeout = { timeout: 90_000 };

let redis: RedisSentinel;

beforeAll(async () => {
  redis = await startRedisSentinel();
});
afterAll(() => redis?.kill());

test('when the master is killed, then the sentinels name the replica, which takes writes', {
  timeout: 200_000,
}, async () => {
  const [first, second] = redis.servers;
  await expect.poll(async () => (await redis.master()).port).toBe(first?.port);
  expect(redis.url).toMatch(/^redis\+sentinel:\/\/127\.0\.0\.1:\d+,.*,.*\/gatehouse$/);

  await first?.kill();
  await expect.poll(async () => (await redis.master()).port, timeout).toBe(second?.port);
  await expect.poll(() => answers(second?.port ?? 0, 'SET key 1\r\n', '+OK'), timeout).toBe(true);
});

test('when the old master returns, then it follows the new one', { timeout: 200_000 }, async () => {
  const [first, second] = redis.servers;
  await first?.restart();
  await expect.poll(() => answers(first?.port ?? 0, 'SET key 2\r\n', '-READONLY'), timeout).toBe(true);
  await expect.poll(async () => (await redis.master()).port).toBe(second?.port);
});
