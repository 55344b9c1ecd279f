import { expect, test } from 'vitest';
import { windowCounter } from './throttle.ts';

test('when there are endless different keys, then a counter keeps a bounded number of them, the newest', () => {
  let at = 0;
  const count = windowCounter<number>(60, { maxKeys: 3, now: () => at });
  for (let key = 0; key < 1000; key++) count(key, 1);
  expect([997, 998, 999].map((key) => count(key, 1).consumedPoints)).toEqual([2, 2, 2]);
  expect(count(0, 1).consumedPoints).toBe(1);
  at = 60_000;
  expect(count(999, 1)).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 });
});
