import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { circuitBreaker } from './circuit-breaker.ts';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterAll(() => void vi.useRealTimers());

function breaker() {
  const changes: boolean[] = [];
  const { admit } = circuitBreaker({
    breakAfter: 3,
    pauseMs: 5000,
    onChange: (isOpen) => void changes.push(isOpen),
  });
  const attempt = (hasSucceeded: boolean) => {
    const settle = admit();
    settle?.(hasSucceeded);
    return settle !== undefined;
  };
  return { admit, attempt, changes };
}

function opened() {
  const subject = breaker();
  for (let n = 0; n < 3; n++) subject.attempt(false);
  return subject;
}

test('when attempts fail in a row, then none is admitted for a while, and the next one decides', () => {
  const { attempt, changes } = breaker();
  for (const hasSucceeded of [false, false, true, false, false]) attempt(hasSucceeded);
  expect(changes).toEqual([]);
  attempt(false);
  expect(changes).toEqual([true]);
  expect(attempt(true)).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(attempt(false)).toBe(true);
  expect(attempt(true)).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(attempt(true)).toBe(true);
  expect(attempt(true)).toBe(true);
  expect(changes).toEqual([true, false]);
});

test('when the clock is set back while it is open, then it admits as soon as otherwise', () => {
  const { attempt } = opened();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(5000);
  expect(attempt(true)).toBe(true);
});

test('when it may close, then one attempt is admitted at a time', () => {
  const { admit, attempt, changes } = opened();
  vi.advanceTimersByTime(5000);
  const settle = admit();
  expect(admit()).toBeUndefined();
  settle?.(true);
  expect(attempt(true)).toBe(true);
  expect(changes).toEqual([true, false]);
});

test('when attempts from before end while it is open, then they change nothing', () => {
  const { admit, attempt, changes } = breaker();
  const before = [admit(), admit()];
  for (let n = 0; n < 3; n++) attempt(false);
  before[0]?.(true);
  before[1]?.(false);
  expect(attempt(true)).toBe(false);
  expect(changes).toEqual([true]);
});
