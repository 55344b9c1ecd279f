import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { doneWithin, withTimeout } from './with-timeout.ts';

const timersLeft = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
const tooLate = () => new Error('too late');

test('when the work takes too long, then the timeout’s error is thrown, and a later error of the work is ignored', async () => {
  const work = Promise.withResolvers<void>();
  await expect(withTimeout(work.promise, 1, tooLate)).rejects.toThrow('too late');
  await expect(doneWithin(work.promise, 1)).resolves.toBe(false);
  // If unhandled, this fails the run.
  work.reject(new Error('after everybody has left'));
});

test('when the work settles in time, then its result or error is passed on and no timer is left', async () => {
  const before = timersLeft();
  await expect(withTimeout(Promise.resolve(7), 60_000, tooLate)).resolves.toBe(7);
  await expect(doneWithin(Promise.resolve(7), 60_000)).resolves.toBe(true);
  await expect(withTimeout(Promise.reject(new Error('broken')), 60_000, tooLate)).rejects.toThrow('broken');
  await expect(doneWithin(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
  expect(timersLeft()).toBe(before);
});

test('when the process was suspended and the work ends as soon as it resumes, then it was in time', async () => {
  // From an immediate, the next loop iteration runs timers before immediates.
  await nextTurn();
  const work = nextTurn(7);
  const result = withTimeout(work, 1, tooLate);
  for (const end = performance.now() + 10; performance.now() < end; );
  await expect(result).resolves.toBe(7);
});
