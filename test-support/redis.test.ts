import { expect, test } from 'vitest';
import { startRedis } from './redis.ts';
import { answers } from './server.ts';

test('when Redis restarts, then it is empty and on the same port; when it stops, then it is gone', async () => {
  const redis = await startRedis();
  await expect.poll(() => answers(redis.port, 'SET key 1\r\n', '+OK')).toBe(true);

  await redis.restart();
  await expect.poll(() => answers(redis.port, 'EXISTS key\r\n', ':0')).toBe(true);

  await redis.stop();
  expect(await answers(redis.port)).toBe(false);
});
