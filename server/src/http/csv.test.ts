import { expect, test } from 'vitest';
import { csvText } from './csv.ts';
import { pagesOf } from './mount-list.ts';

/** A list of five rows, sorted by their number. */
const read = async ({ limit, after }: { limit: number; after: readonly [number] | undefined }) => {
  const from = after?.[0] ?? 0;
  const entries = [1, 2, 3, 4, 5].slice(from, from + limit).map((n) => ({ n }));
  const last = from + entries.length;
  return { entries, next: last < 5 ? ([last] as const) : undefined };
};

async function fileOf(maxRows: number, after?: readonly [number]): Promise<string> {
  const pages = pagesOf<['number']>(read, after, maxRows);
  const pieces = await Array.fromAsync(csvText({ columns: ['n'], pages, forSpreadsheet: false }));
  return pieces.join('');
}

test('when a file is for a spreadsheet, then it begins with a byte-order mark', async () => {
  const pages = pagesOf<['number']>(read, undefined);
  const [head] = await Array.fromAsync(csvText({ columns: ['n'], pages, forSpreadsheet: true }));
  expect(head).toBe('\ufeffn\r\n');
});

test('when a list is longer than a file may be, then the last line says so and names the next part', async () => {
  expect(await fileOf(5)).toBe('n\r\n1\r\n2\r\n3\r\n4\r\n5\r\n');
  const cut = (await fileOf(3)).split('\r\n');
  expect(cut.slice(0, 4)).toEqual(['n', '1', '2', '3']);
  expect(cut[4]).toMatch(/^"?# There are more rows: cursor=[\w-]+"?$/);
  expect(await fileOf(3, [3])).toBe('n\r\n4\r\n5\r\n');
});
