import { expect, test } from 'vitest';
import { lazy } from './lazy.ts';

test('when loading succeeds, then it is done once, also for concurrent calls', async () => {
  let loads = 0;
  const get = lazy(async () => ++loads);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

// The slow tier's cluster run takes the file handles of a service whose libraries are not loaded yet.
test('when loading fails, then those who wait are told, and the next call loads again', async () => {
  let loads = 0;
  const get = lazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toBe(2);
});
