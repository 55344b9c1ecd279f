import { BadSettings } from '../settings/bad-settings.ts';
import { exitStatusOf } from './failure.ts';

let asJson = false;

/** Whether this call wants JSON, for what fails as well. */
export function useJson(wanted: boolean): void {
  asJson = wanted;
}

/** Says what went wrong, a line per problem, and leaves an exit status that tells what kind of failure it is. */
export function fail(error: unknown): void {
  const lines =
    error instanceof BadSettings
      ? error.message.split('\n')
      : [error instanceof Error ? firstLine(error.message) : String(error)];
  process.exitCode = exitStatusOf(error);
  if (asJson) {
    const failure = { error: lines.join('\n'), exit_status: process.exitCode };
    process.stderr.write(`${escapeControls(JSON.stringify(failure))}\n`);
  } else for (const line of lines) process.stderr.write(`gatehouse: ${escapeControls(line)}\n`);
}

const firstLine = (text: string) => text.split('\n')[0] ?? text;

export type Row = Readonly<Record<string, unknown>>;

/** A table for people, or JSON for scripts. */
export function print(rows: readonly Row[], options: { json?: boolean | undefined; empty?: string }): void {
  if (options.json) printLine(JSON.stringify(rows, null, 2));
  else printLine(rows.length === 0 ? (options.empty ?? 'nothing') : table(rows));
}

export function printLine(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

/** What was done: a sentence for people; for scripts the fields, or the sentence where there are none. */
export function printResult(sentence: string, fields: Row = { message: sentence }): void {
  printLine(asJson ? JSON.stringify(fields) : sentence);
}

/** What moves a cursor or turns text around; JSON itself escapes only the first 32. */
const CONTROL = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** As JSON spells them, so that scripts read what was meant. */
function escapeControls(text: string): string {
  return text.replaceAll(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
