import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const MAX_CSV_ROWS = 100_000;

export type CsvRow = Readonly<Record<string, unknown>>;

/** Whether the caller wants a file rather than a page. */
export function wantsCsv({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').split(',').some((type) => /^\s*text\/csv\b/i.test(type));
}

/** Sends rows as they come; no more of them than one batch is held. */
export function sendCsv(
  reply: FastifyReply,
  {
    name,
    columns,
    batches,
  }: { name: string; columns: readonly string[]; batches: AsyncIterable<readonly CsvRow[]> },
): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(lines(columns, batches)));
}

async function* lines(columns: readonly string[], batches: AsyncIterable<readonly CsvRow[]>) {
  yield line(columns);
  for await (const rows of batches)
    yield rows.map((row) => line(columns.map((column) => textOf(row[column])))).join('');
}

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\p{Cc}]/u;

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
