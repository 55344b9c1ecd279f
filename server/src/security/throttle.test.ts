import { afterEach, expect, test, vi } from 'vitest';
import { createPlayerLimit, type Limit, limiter, memoryStore, windowCounter } from './throttle.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('when there are endless different keys, then a counter keeps a bounded number of them, the newest', () => {
  let at = 0;
  const count = windowCounter<number>(60, { maxKeys: 3, now: () => at });
  for (let key = 0; key < 1000; key++) count(key, 1);
  expect([997, 998, 999].map((key) => count(key, 1).consumedPoints)).toEqual([2, 2, 2]);
  expect(count(0, 1).consumedPoints).toBe(1);
  at = 60_000;
  expect(count(999, 1)).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 });
});

test('when one more key comes than a counter keeps, then only the oldest is dropped', () => {
  const count = windowCounter<string>(60, { maxKeys: 3, now: () => 0 });
  for (const key of ['a', 'b', 'c', 'd']) count(key, 1);
  expect(['b', 'c', 'd', 'a'].map((key) => count(key, 1).consumedPoints)).toEqual([2, 2, 2, 1]);
});

test('when the window of a key begins again, then it is dropped after those whose windows began before', () => {
  let at = 0;
  const count = windowCounter<string>(60, { maxKeys: 4, now: () => at });
  for (const key of ['ended', 'ended too', 'guesser']) count(key, 1);
  at = 30_000;
  count('older', 1);
  at = 60_000;
  for (const key of ['guesser', 'b', 'c', 'd']) count(key, 1);
  expect(count('guesser', 1).consumedPoints).toBe(2);
});

test('when points are taken back, then the count falls, but never below zero', () => {
  const count = windowCounter<string>(60, { now: () => 0 });
  count('a', 3);
  expect(count('a', -1).consumedPoints).toBe(2);
  expect(count('a', -5).consumedPoints).toBe(0);
  expect(count('a', 1).consumedPoints).toBe(1);
});

test('when the limit is reached, then only the next hit is over it, until one is taken back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { hit, undo } = limiter(memoryStore, () => ({ limit: 3, window: 60 }));
  expect(await hit('a', 2)).toEqual({ over: false, retryAfter: 60 });
  vi.advanceTimersByTime(500);
  expect(await hit('a')).toEqual({ over: false, retryAfter: 60 });
  vi.advanceTimersByTime(500);
  expect(await hit('a')).toEqual({ over: true, retryAfter: 59 });
  expect((await hit('b')).over).toBe(false);
  await undo('a');
  await undo('a');
  expect((await hit('a')).over).toBe(false);
});

test('when a window begins at a fraction of a millisecond, then the retry is not later than the window', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(20_000.1);
  const { hit } = limiter(memoryStore, () => ({ limit: 1, window: 60 }));
  expect(await hit('a')).toEqual({ over: false, retryAfter: 60 });
});

test('when a store has no count, then nothing is over and the retry is in a second', async () => {
  const { hit } = limiter(
    () => ({ consume: async () => null, reward: async () => null }),
    () => ({ limit: 0, window: 60 }),
  );
  expect(await hit('a')).toEqual({ over: false, retryAfter: 1 });
});

test('when the limit is changed, then the counts remain; when the window is, then they start over', async () => {
  let limit: Limit = { limit: 1, window: 60 };
  const { hit } = limiter(memoryStore, () => limit);
  await hit('a');
  expect((await hit('a')).over).toBe(true);
  limit = { limit: 3, window: 60 };
  expect((await hit('a')).over).toBe(false);
  expect((await hit('a')).over).toBe(true);
  limit = { limit: 1, window: 90 };
  expect(await hit('a')).toEqual({ over: false, retryAfter: 90 });
  expect((await hit('a')).over).toBe(true);
});

test('when a player logs in as often as allowed, then only the next login is refused, and entries are counted apart', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let limit: Limit = { limit: 2, window: 60 };
  const refused: string[] = [];
  const count = createPlayerLimit(
    () => limit,
    (throttle) => refused.push(throttle),
  );
  for (let time = 0; time < 2; time++) count('login', 1);
  vi.advanceTimersByTime(10_500);
  expect(() => count('login', 1)).toThrow(
    expect.objectContaining({
      code: 'too_many_attempts',
      details: { retryAfter: 50, throttle: 'player_login' },
    }),
  );
  expect(refused).toEqual(['player_login']);
  count('enter', 1);
  count('login', 2);
  limit = { limit: 3, window: 60 };
  expect(() => count('login', 1)).toThrow();
  limit = { limit: 1, window: 90 };
  count('login', 1);
  expect(() => count('login', 1)).toThrow(
    expect.objectContaining({ details: { retryAfter: 90, throttle: 'player_login' } }),
  );
  vi.advanceTimersByTime(90_000);
  count('login', 1);
  expect(refused).toHaveLength(3);
});
