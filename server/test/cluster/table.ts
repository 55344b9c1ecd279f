import type { GapRow } from './measures.ts';
import { kinds } from './timeline.ts';

/** Renders a table with the first column left-aligned and numbers right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Gaps in seconds; in brackets if the kind needs the broken part. */
export function gapTable(rows: readonly GapRow[]): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  return table([
    ['longest gap between good answers, in s', 'times', ...kinds],
    ...rows.map(({ fault, times, gaps, excused }) => [
      fault,
      String(times),
      ...kinds.map((kind) => (excused.includes(kind) ? `(${seconds(gaps[kind])})` : seconds(gaps[kind]))),
    ]),
  ]);
}
