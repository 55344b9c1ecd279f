import { BadSettings } from '../settings/load.ts';

/** Says what went wrong, a line per problem, and leaves exit status 1. */
export function fail(error: unknown): void {
  const lines =
    error instanceof BadSettings
      ? error.message.split('\n')
      : [error instanceof Error ? firstLine(error.message) : String(error)];
  for (const line of lines) process.stderr.write(`gatehouse: ${line}\n`);
  process.exitCode = 1;
}

const firstLine = (text: string) => text.split('\n')[0] ?? text;

export type Row = Readonly<Record<string, unknown>>;

/** A table for people, or JSON for scripts. */
export function print(rows: readonly Row[], options: { json?: boolean | undefined; empty?: string }): void {
  if (options.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) process.stdout.write(`${options.empty ?? 'nothing'}\n`);
  else process.stdout.write(`${table(rows)}\n`);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function table(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const cells = [headings, ...rows.map((row) => headings.map((heading) => cell(row[heading])))];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => width(line[column] ?? ''))));
  return cells
    .map((line) =>
      line
        .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - width(text)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  // Names come from players and games: nothing in them may move the operator's cursor.
  return String(value).replaceAll(/\p{Cc}/gu, ' ');
}

/** Chinese characters take two columns of a terminal. */
function width(text: string): number {
  return [...text].reduce(
    (sum, char) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1),
    0,
  );
}

export const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
