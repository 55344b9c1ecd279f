import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { busyMeter, startJob } from './job.ts';

test('when a round takes long, then the next round and closing wait for it', async () => {
  const events: string[] = [];
  const third = Promise.withResolvers<void>();
  const reachedThird = Promise.withResolvers<void>();
  let rounds = 0;
  const repeating = startJob({
    intervalMs: 1,
    async work() {
      const round = ++rounds;
      events.push(`${round} begins`);
      if (round === 3) {
        reachedThird.resolve();
        await third.promise;
      }
      events.push(`${round} ends`);
    },
  });
  await reachedThird.promise;
  const closed = repeating.close().then(() => events.push('closed'));
  await sleep(5);
  third.resolve();
  await closed;
  await sleep(5);
  expect(events).toEqual([1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]).concat('closed'));
});

test('when the process computed all the time since the last call, then it was busy; when it waited, then it was not', async () => {
  const wasBusy = busyMeter();
  const end = performance.now() + 50;
  while (performance.now() < end);
  expect(wasBusy()).toBe(true);
  // The process may count as busy while the machine runs others.
  await expect.poll(wasBusy).toBe(false);
});
