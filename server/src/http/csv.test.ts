import { expect, test } from 'vitest';
import { type CsvPages, csvText, textOfCell } from './csv.ts';
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

test('when a file is exported, then it begins with a byte-order mark', async () => {
  const pages = pagesOf<['number']>(read, undefined);
  const [head] = await Array.fromAsync(csvText({ columns: ['n'], pages, forSpreadsheet: true }));
  expect(head).toBe('\ufeffn\r\n');
});

test('when a list is longer than a file may be, then the last line says so and names the next part', async () => {
  expect(await fileOf(5)).toBe('n\r\n"1"\r\n"2"\r\n"3"\r\n"4"\r\n"5"\r\n');
  const cut = (await fileOf(3)).split('\r\n');
  expect(cut.slice(0, 4)).toEqual(['n', '"1"', '"2"', '"3"']);
  expect(cut[4]).toMatch(/^"# There are more rows: cursor=[\w-]+"$/);
  expect(await fileOf(3, [3])).toBe('n\r\n"4"\r\n"5"\r\n');
});

test('when a cell could be a formula or end early, then it is quoted and made text, with full-width signs too', async () => {
  const texts = [
    '=1',
    '+1',
    '-1',
    '@a',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    ' =1',
    '\t=1',
    'a"b',
    'a;=1',
    'plain',
    '',
  ];
  async function* pages(): CsvPages {
    yield texts.map((n) => ({ n }));
    return undefined;
  }
  const [, rows] = await Array.fromAsync(csvText({ columns: ['n'], pages: pages(), forSpreadsheet: false }));
  expect(rows?.split('\r\n').slice(0, -1)).toEqual([
    ...texts.slice(0, 10).map((text) => `"'${text}"`),
    '"a""b"',
    '"a;=1"',
    '"plain"',
    '""',
  ]);
  for (const text of texts.slice(0, 10)) expect(textOfCell(`'${text}`)).toBe(text);
  expect(textOfCell("'s")).toBe("'s");
});

test('when a list is long and its pages are ready immediately, then other work runs between the pages', async () => {
  const endless = async ({ limit }: { limit: number }) => ({
    entries: Array.from({ length: limit }, (_, n) => ({ n })),
    next: [1] as const,
  });
  const seen: number[] = [];
  let immediates = 0;
  const count = () => {
    immediates++;
    handle = setImmediate(count);
  };
  let handle = setImmediate(count);
  for await (const page of pagesOf<['number']>(endless, undefined, 2000)) {
    expect(page.length).toBeLessThanOrEqual(200);
    seen.push(immediates);
  }
  clearImmediate(handle);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBe(10);
});
