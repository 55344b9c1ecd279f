import { expect, test } from 'vitest';
import { longestSingleGap, measure } from './measures.ts';
import { memoryGrowth } from './memory.ts';
import { type CompletedRequest, failuresIn, goodTimes, kinds, longestGap } from './timeline.ts';

const good = (to: number, kind: CompletedRequest['kind'] = 'login'): CompletedRequest => ({
  kind,
  from: to - 10,
  to,
  outcome: 'ok',
});
const window = { fault: 'service killed', from: 1000, to: 5000 };

test('when answers stop for a while, then the gap belongs to the window that contains its middle', () => {
  const times = goodTimes([good(3990), good(990), good(4980), good(6000), good(2000, 'check')], 'login');
  expect(longestGap(times, window)).toBe(3000);
  expect(longestGap(times, { ...window, from: 5000, to: 9000 })).toBe(3000);
  expect(longestGap([], window)).toBe(5000);
});

test('when a request fails, then it counts for the window it began in', () => {
  const failed: CompletedRequest = { kind: 'chat', from: 1100, to: 7000, outcome: 'unanswered' };
  expect(failuresIn([failed, good(1200)], window)).toEqual([failed]);
  expect(failuresIn([failed], { ...window, from: 2000, to: 9000 })).toEqual([]);
});

test('when a kind needs the broken part, then its gap is reported and not counted', () => {
  const often = (kind: CompletedRequest['kind']) =>
    [500, 1500, 2500, 3500, 4500, 5500].map((to) => good(to, kind));
  const requests = kinds.filter((kind) => kind !== 'register').flatMap(often);
  const result = { requests, memory: [], acknowledged: 0, crashes: 0, violations: {} };
  const excused = measure({ ...result, windows: [{ ...window, fault: 'mail server down' }] });
  expect(excused.rows[0]?.gaps.register).toBe(5000);
  expect(longestSingleGap(excused.rows)).toBe(1000);
  const blamed = measure({ ...result, windows: [window] });
  expect(blamed.longestGap).toBe(5000);
  expect(blamed.holds).toBe(false);
});

test('when links are cut, then the gap is compared with the bound of partitions', () => {
  const requests = kinds.flatMap((kind) => [500, 5500, 6000].map((to) => good(to, kind)));
  const result = { requests, memory: [], acknowledged: 0, crashes: 0, violations: {} };
  const cut = measure({ ...result, windows: [{ ...window, fault: 'service cut from Redis' }] });
  expect(cut).toMatchObject({ longestGap: 0, longestPartitionGap: 5000 });
});

test('when memory grows after the warm-up, then the growth is reported', () => {
  const at = (sizes: number[]) => sizes.map((megabytes, index) => ({ at: index * 2000, megabytes }));
  expect(memoryGrowth(at([50, 60, 100, 100, 100, 100, 100, 100]))).toBe(1);
  expect(memoryGrowth(at([50, 60, 100, 100, 120, 130, 150, 150]))).toBe(1.5);
});
