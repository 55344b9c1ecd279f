import { expect, test } from 'vitest';
import { ApiError } from '../api/failure.ts';
import { type Page, useList } from './use-list.ts';

/** Pages resolved by the test. */
function pending() {
  const requests: { cursor: string | undefined; answer: (page: Page<number>) => void; fail: () => void }[] =
    [];
  const fetch = (cursor: string | undefined) =>
    new Promise<Page<number>>((resolve, reject) => {
      requests.push({ cursor, answer: resolve, fail: () => reject(new ApiError({ kind: 'offline' })) });
    });
  return { requests, fetch };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('when the end scrolls into view, then the next page is loaded, until there is none', async () => {
  const { requests, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  requests[0]?.answer({ rows: [1, 2], next: 'c' });
  await settled();
  void list.more();
  expect(requests[1]?.cursor).toBe('c');
  requests[1]?.answer({ rows: [3], next: null });
  await settled();
  expect(list.rows.value).toEqual([1, 2, 3]);
  await list.more();
  expect(requests).toHaveLength(2);
});

test('when filters change twice, then the answer to the last request is shown, in whatever order they arrive', async () => {
  const { requests, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  void list.restart();
  requests[1]?.answer({ rows: [2], next: null });
  requests[0]?.answer({ rows: [1], next: null });
  await settled();
  expect(list.rows.value).toEqual([2]);
});

test('when a refresh fails, then the previous rows stay, with the error', async () => {
  const { requests, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  requests[0]?.answer({ rows: [1], next: null });
  await settled();
  void list.refresh();
  requests[1]?.fail();
  await settled();
  expect(list.rows.value).toEqual([1]);
  expect(list.error.value).toEqual({ kind: 'offline' });
});

test('when the operator has scrolled further, then a refresh keeps the scroll position', async () => {
  const { requests, fetch } = pending();
  const list = useList(fetch);
  void list.restart();
  requests[0]?.answer({ rows: [1], next: 'c' });
  await settled();
  void list.more();
  requests[1]?.answer({ rows: [2], next: 'd' });
  await settled();
  await list.refresh();
  expect(requests).toHaveLength(2);
});
