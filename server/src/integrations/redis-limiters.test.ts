import { expect, onTestFinished, test, vi } from 'vitest';
import { startRedis } from '../../../test-support/redis.ts';
import { openRedisLimiters } from './redis-limiters.ts';

test('when Redis is silent, then its connection is closed and reported, and opened again once it answers', async () => {
  const server = await startRedis();
  onTestFinished(() => server.kill());
  const warn = vi.fn();
  const redis = openRedisLimiters(server.url, { warn }, { commandMs: 100, connectMs: 900, silentMs: 200 });
  onTestFinished(() => redis.close());
  await redis.connected();
  expect(redis.isUp()).toBe(true);

  server.freeze();
  await expect(redis.ping()).rejects.toThrow('Redis did not answer in time');
  await expect.poll(redis.isUp).toBe(false);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.stringContaining('unreachable'));
  server.thaw();
  await expect.poll(redis.isUp, { timeout: 30_000 }).toBe(true);
});
