import { expect, test } from 'vitest';
import { ApiError } from '../api/failure.ts';
import { type Page, useList } from './use-list.ts';

/** Pages that are answered by hand. */
function pending() {
  const asked: { cursor: string | undefined; answer: (page: Page<number>) => void; fail: () => void }[] = [];
  const fetch = (cursor: string | undefined) =>
    new Promise<Page<number>>((resolve, reject) => {
      asked.push({ cursor, answer: resolve, fail: () => reject(new ApiError({ kind: 'offline' })) });
    });
  return { asked, fetch };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('when the end comes into view, then the next page follows the first, until there is none', async () => {
  const { asked, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  asked[0]?.answer({ rows: [1, 2], next: 'c' });
  await settled();
  void list.more();
  expect(asked[1]?.cursor).toBe('c');
  asked[1]?.answer({ rows: [3], next: null });
  await settled();
  expect(list.rows.value).toEqual([1, 2, 3]);
  await list.more();
  expect(asked).toHaveLength(2);
});

test('when filters change twice, then the last answer counts, whichever comes last', async () => {
  const { asked, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  void list.restart();
  asked[1]?.answer({ rows: [2], next: null });
  asked[0]?.answer({ rows: [1], next: null });
  await settled();
  expect(list.rows.value).toEqual([2]);
});

test('when a refresh fails, then what was shown stays, with the failure beside it', async () => {
  const { asked, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  asked[0]?.answer({ rows: [1], next: null });
  await settled();
  void list.refresh();
  asked[1]?.fail();
  await settled();
  expect(list.rows.value).toEqual([1]);
  expect(list.error.value).toEqual({ kind: 'offline' });
});

test('when somebody has scrolled on, then a refresh does not take their place away', async () => {
  const { asked, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  asked[0]?.answer({ rows: [1], next: 'c' });
  await settled();
  void list.more();
  asked[1]?.answer({ rows: [2], next: 'd' });
  await settled();
  await list.refresh();
  expect(asked).toHaveLength(2);
});
