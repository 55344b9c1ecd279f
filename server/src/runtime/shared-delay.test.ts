import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sharedDelay } from './with-timeout.ts';

test('when a delay is requested twice in one iteration, then it is shared; a later one is separate', async () => {
  const delay = sharedDelay(5);
  const first = delay();
  expect(delay()).toBe(first);
  await nextIteration();
  expect(delay()).not.toBe(first);
});

test('when a delay is requested, then it takes at least that long', async () => {
  const started = performance.now();
  await sharedDelay(20)();
  expect(performance.now() - started).toBeGreaterThan(18);
});
