import { expect, test, vi } from 'vitest';
import { sharedLookup } from './allowed-hosts.ts';

test('when many look up one name concurrently, then they share one lookup, and all get the answer', () => {
  const answer = [{ address: '192.0.2.1', family: 4 }];
  const resolve = vi.fn<Parameters<typeof sharedLookup>[0]>();
  const lookup = sharedLookup(resolve);
  const asked = Array.from({ length: 50 }, () => vi.fn());
  for (const callback of asked) lookup('game.example', { all: true }, callback);
  const other = vi.fn();
  lookup('other.example', { all: true }, other);
  expect(resolve.mock.calls.map(([host]) => host)).toEqual(['game.example', 'other.example']);
  resolve.mock.calls[0]?.[2](null, answer);
  for (const callback of asked) expect(callback.mock.calls).toEqual([[null, answer]]);
  expect(other).not.toHaveBeenCalled();
  lookup('game.example', { all: true }, vi.fn());
  expect(resolve).toHaveBeenCalledTimes(3);
});
