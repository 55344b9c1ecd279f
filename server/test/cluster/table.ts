import type { GapRow } from './measures.ts';
import { kinds } from './timeline.ts';

/** Columns as wide as they need to be; the first reads from the left, numbers from the right. */
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

/** Seconds; in brackets where the kind needs what was broken. */
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
