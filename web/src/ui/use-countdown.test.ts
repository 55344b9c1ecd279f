import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope } from 'vue';
import { useCountdown } from './use-countdown.ts';

const scope = () => {
  const own = effectScope();
  const countdown = own.run(() => useCountdown());
  if (!countdown) throw new Error('no countdown');
  return { ...countdown, stop: () => own.stop() };
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('when it starts, then it counts whole seconds down to zero and stops', () => {
  const { left, start } = scope();
  start(60);
  expect(left.value).toBe(60);
  vi.advanceTimersByTime(1000);
  expect(left.value).toBe(59);
  vi.advanceTimersByTime(59_000);
  expect(left.value).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('when the phone was suspended meanwhile, then it follows the clock', () => {
  const { left, start } = scope();
  start(60);
  vi.setSystemTime(Date.now() + 45_000);
  vi.advanceTimersByTime(1000);
  expect(left.value).toBe(14);
});

test('when it starts again, then the new time applies', () => {
  const { left, start } = scope();
  start(5);
  vi.advanceTimersByTime(3000);
  start(60);
  expect(left.value).toBe(60);
  vi.advanceTimersByTime(10_000);
  expect(left.value).toBe(50);
});

test('when its page is unmounted, then no timer is left', () => {
  const { start, stop } = scope();
  start(60);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
