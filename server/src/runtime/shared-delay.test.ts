import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sharedDelay } from './with-timeout.ts';

test('when a delay is asked for again in the same iteration, then it is the same one, and later another', async () => {
  const delay = sharedDelay(5);
  const first = delay();
  expect(delay()).toBe(first);
  await nextIteration();
  expect(delay()).not.toBe(first);
});

test('when a delay was asked for, then it takes at least so long', async () => {
  const started = performance.now();
  await sharedDelay(20)();
  expect(performance.now() - started).toBeGreaterThan(18);
});
