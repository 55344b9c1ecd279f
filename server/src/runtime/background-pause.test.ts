import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { busyMeter } from './job.ts';

test('when the process has computed all the time since the last look, then it was busy; when it has waited, then not', async () => {
  const wasBusy = busyMeter();
  const end = performance.now() + 50;
  while (performance.now() < end);
  expect(wasBusy()).toBe(true);
  await sleep(200);
  expect(wasBusy()).toBe(false);
});
