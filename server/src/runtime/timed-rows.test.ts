import { beforeEach, expect, test, vi } from 'vitest';
import { openTimedRows, type Timed } from './timed-rows.ts';

const log = { warn: vi.fn() };
/** Another machine's clock, hours away from this one's. */
const NOW = Date.UTC(2030, 0, 1);

beforeEach(() => {
  vi.useFakeTimers();
  log.warn.mockReset();
  return () => vi.useRealTimers();
});

/** Opens rows from a source that may fail, hang or change. */
async function open(rows: readonly (Timed & { id: number })[]) {
  const started = performance.now();
  const source = { rows, read: async () => ({ now: NOW + performance.now() - started, rows: source.rows }) };
  const seen: number[][] = [];
  const timed = await openTimedRows<Timed & { id: number }>({
    name: 'rows',
    intervalMs: 1000,
    log,
    read: () => source.read(),
    apply: (inForce) => seen.push(inForce.map(({ id }) => id)),
  });
  return { source, seen, timed };
}

test('when rows begin and end, then each applies for its span by the clock of its source', async () => {
  const { seen, timed } = await open([
    { id: 1, until: null },
    { id: 2, until: NOW + 1500 },
    { id: 3, from: NOW + 2500, until: NOW + 3500 },
  ]);
  await vi.advanceTimersByTimeAsync(6000);
  expect(seen).toEqual([[1, 2], [1], [1, 3], [1]]);
  await timed.close();
});

test('when the source fails or hangs, then the last known rows stay and still end, and it is logged once', async () => {
  const { source, seen, timed } = await open([
    { id: 1, until: null },
    { id: 2, until: NOW + 6500 },
  ]);
  source.read = () => Promise.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(seen).toEqual([[1, 2]]);
  source.read = () => new Promise(() => {});
  await vi.advanceTimersByTimeAsync(7000);
  expect(seen).toEqual([[1, 2], [1]]);
  expect(log.warn).toHaveBeenCalledOnce();
  source.read = async () => ({ now: NOW, rows: [{ id: 4, until: null }] });
  await vi.advanceTimersByTimeAsync(4000);
  expect(seen.at(-1)).toEqual([4]);
  await timed.close();
});

test('when a slow read ends after a later one, then its result is dropped', async () => {
  const { source, seen, timed } = await open([{ id: 1, until: null }]);
  const slow = Promise.withResolvers<{ now: number; rows: { id: number; until: null }[] }>();
  source.read = () => slow.promise;
  const first = timed.refresh();
  source.read = async () => ({ now: NOW, rows: [{ id: 2, until: null }] });
  await timed.refresh();
  slow.resolve({ now: NOW, rows: [{ id: 1, until: null }] });
  await first;
  expect(seen).toEqual([[1], [2]]);
  await timed.close();
});
