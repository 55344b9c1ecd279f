import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AttemptOutcome, circuitBreaker } from './circuit-breaker.ts';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterAll(() => void vi.useRealTimers());

function breaker() {
  const changes: boolean[] = [];
  const { admit } = circuitBreaker({
    breakAfter: 3,
    pauseMs: 5000,
    onChange: (isOpen) => void changes.push(isOpen),
  });
  const attempt = (outcome: AttemptOutcome) => {
    const settle = admit();
    settle?.(outcome);
    return settle !== undefined;
  };
  return { admit, attempt, changes };
}

function opened() {
  const subject = breaker();
  for (let n = 0; n < 3; n++) subject.attempt('failed');
  return subject;
}

test('when attempts fail in a row, then none is admitted for a while, and the next one decides', () => {
  const { attempt, changes } = breaker();
  for (const outcome of ['failed', 'failed', 'succeeded', 'failed', 'unsent', 'failed'] as const)
    attempt(outcome);
  expect(changes).toEqual([]);
  attempt('failed');
  expect(changes).toEqual([true]);
  expect(attempt('succeeded')).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(attempt('failed')).toBe(true);
  expect(attempt('succeeded')).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(attempt('succeeded')).toBe(true);
  expect(attempt('succeeded')).toBe(true);
  expect(changes).toEqual([true, false]);
});

test('when the clock is set back while it is open, then it admits as soon as otherwise', () => {
  const { attempt } = opened();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(5000);
  expect(attempt('succeeded')).toBe(true);
});

test('when it may close, then one attempt at a time is admitted until one says something', () => {
  const { admit, attempt, changes } = opened();
  vi.advanceTimersByTime(5000);
  const settle = admit();
  expect(admit()).toBeUndefined();
  settle?.('unsent');
  expect(attempt('succeeded')).toBe(true);
  expect(changes).toEqual([true, false]);
});

test('when attempts from before end while it is open, then they change nothing', () => {
  const { admit, attempt, changes } = breaker();
  const before = [admit(), admit()];
  for (let n = 0; n < 3; n++) attempt('failed');
  before[0]?.('succeeded');
  before[1]?.('failed');
  expect(attempt('succeeded')).toBe(false);
  expect(changes).toEqual([true]);
});
