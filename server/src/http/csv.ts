import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const MAX_CSV_ROWS = 100_000;

export type CsvRow = Readonly<Record<string, unknown>>;

export function wantsCsv({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').split(',').some((type) => /^\s*text\/csv\b/i.test(type));
}

/** Pages of a list. Returns the cursor of the next part if the file must end before the list does. */
export type CsvPages = AsyncGenerator<readonly CsvRow[], string | undefined>;

export interface CsvFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly pages: CsvPages;
  /** Begins with a byte-order mark, without which spreadsheets do not read UTF-8. */
  readonly forSpreadsheet: boolean;
}

/** Sends rows as they are read, and holds at most one page of them. */
export function sendCsv(reply: FastifyReply, file: CsvFile): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file.name}.csv"`)
    .header('cache-control', 'no-store')
    .header('x-row-limit', String(MAX_CSV_ROWS))
    .send(Readable.from(csvText(file)));
}

export async function* csvText({ columns, pages, forSpreadsheet }: Omit<CsvFile, 'name'>) {
  // The headings are our own plain names and need no quotes.
  yield `${forSpreadsheet ? '\ufeff' : ''}${columns.join(',')}\r\n`;
  let page = await pages.next();
  for (; !page.done; page = await pages.next())
    yield page.value.map((row) => line(columns.map((column) => textOf(row[column])))).join('');
  if (page.value !== undefined) yield line([`# There are more rows: cursor=${page.value}`]);
}

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that a spreadsheet would read as a formula. Some accept full-width signs too. */
const FORMULA = /^(?:[\s\p{C}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|\p{Cc})/u;

/** Quotes every cell: programs differ in what ends an unquoted one, and a formula could follow it. */
export function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns the text of a parsed cell that was written as above. */
export const textOfCell = (parsed: string): string =>
  parsed.startsWith("'") && FORMULA.test(parsed.slice(1)) ? parsed.slice(1) : parsed;
