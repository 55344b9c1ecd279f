import { escapeControls } from '../runtime/control-characters.ts';
import { BadSettings } from '../settings/bad-settings.ts';
import { exitStatusOf } from './failure.ts';
import { say } from './language.ts';

let asJson = false;

/** Selects JSON output, also for errors. */
export function useJson(wanted: boolean): void {
  asJson = wanted;
}

/** Prints an error, one line per problem, and sets the exit status for its kind. */
export function fail(error: unknown): void {
  const lines =
    error instanceof BadSettings
      ? error.problems.map(({ setting, message }) => `${setting}: ${say(message)}`)
      : [say(error instanceof Error ? firstLine(error.message) : String(error))];
  process.exitCode = exitStatusOf(error);
  if (asJson) {
    const failure = { error: lines.join('\n'), exit_status: process.exitCode };
    process.stderr.write(`${escapeControls(JSON.stringify(failure))}\n`);
  } else for (const line of lines) process.stderr.write(`gatehouse: ${escapeControls(line)}\n`);
}

const firstLine = (text: string) => text.split('\n')[0] ?? text;

/** Prints a table for people, or JSON for scripts. */
export function print(
  rows: readonly object[],
  options: { json?: boolean | undefined; empty?: string } = {},
): void {
  if (options.json) write(JSON.stringify(rows, null, 2));
  else write(rows.length === 0 ? say(options.empty ?? 'nothing') : table(rows));
}

/** Prints a record, one field per line. */
export function printRecord(record: object): void {
  print(Object.entries(record).map(([field, value]) => ({ field, value })));
}

export function printLine(text: string): void {
  write(say(text));
}

function write(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

/** Prints a result: a sentence for people. For scripts, the fields, or the sentence if there are none. */
export function printResult(sentence: string, fields: object = { message: sentence }): void {
  printLine(asJson ? JSON.stringify(fields) : sentence);
}

function table(rows: readonly object[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const cells = [headings, ...rows.map((row) => headings.map((heading) => cell(Reflect.get(row, heading))))];
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
  // Names come from players and games, and must not move the operator's cursor.
  return String(value).replaceAll(/\p{Cc}/gu, ' ');
}

/** Returns the width in terminal columns. Chinese characters take two. */
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
