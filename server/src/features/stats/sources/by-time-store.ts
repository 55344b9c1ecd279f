import type { Position } from '../store.ts';

/** How a table is read in the order of a time and, within it, of an id. */
interface TimedRows<Row> {
  /** Returns rows of this time with ids after this one, by id. */
  readonly ofTime: (time: number, afterId: string, limit: number) => Promise<Row[]>;
  /** Returns rows of later times, up to and including `until`, by time and id. */
  readonly later: (time: number, until: number, limit: number) => Promise<Row[]>;
  readonly positionOf: (row: Row) => Position;
}

/**
 * Reads the rows after a position. Never in the order of ids alone: engines that hand out ids in blocks per connection add rows
 * with low ids later than rows with high ones. Uses two queries, because no condition over both columns lets both engines start
 * at the position.
 */
export async function rowsByTime<Row>(
  { ofTime, later, positionOf }: TimedRows<Row>,
  { position, afterId }: Position,
  limit: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<{ rows: Row[]; next: Position } | undefined> {
  const same = position > 0 ? await ofTime(position, afterId, limit) : [];
  const left = limit - same.length;
  const rows = left === 0 ? same : [...same, ...(await later(Math.max(position, 0), until, left))];
  const last = rows.at(-1);
  return last && { rows, next: positionOf(last) };
}
