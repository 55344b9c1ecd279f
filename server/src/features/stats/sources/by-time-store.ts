import { type SelectQueryBuilder, sql } from 'kysely';
import type { StatCell } from '../../../db/day-stat.ts';
import type { Database } from '../../../db/schema.ts';
import type { Position, StatSource } from '../store.ts';

/** The rows of a table, and the columns by which they are read in order. */
interface TimedRows<T extends keyof Database, Row> {
  readonly rows: SelectQueryBuilder<Database, T, Row>;
  readonly at: string;
  readonly id: string;
  /** Converts an id to the type of its column. */
  readonly idFrom: (text: string) => number | string;
  readonly positionOf: (row: Row) => Position;
}

/** Reads a source in the order of time. `cellsOf` returns what rows after a position add to the sums. */
export function readByTime<T extends keyof Database, Row>(
  table: TimedRows<T, Row>,
  cellsOf: (rows: readonly Row[], after: Position) => StatCell[] | Promise<StatCell[]>,
): StatSource['read'] {
  return async (after, limit, until) => {
    const found = await rowsByTime(table, after, limit, until);
    return found && { cells: await cellsOf(found.rows, after), next: found.next };
  };
}

/**
 * Reads the rows after a position. Never in the order of ids alone: engines that hand out ids in blocks per connection add rows
 * with low ids later than rows with high ones. Uses two queries, because no condition over both columns lets both engines start
 * at the position.
 */
async function rowsByTime<T extends keyof Database, Row>(
  { rows: query, idFrom, positionOf, ...columns }: TimedRows<T, Row>,
  { position, afterId }: Position,
  limit: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<{ rows: Row[]; next: Position } | undefined> {
  const [at, id] = [sql.ref<number>(columns.at), sql.ref<number | string>(columns.id)];
  const same =
    position > 0
      ? await query
          .where(at, '=', position)
          .where(id, '>', idFrom(afterId))
          .orderBy(id)
          .limit(limit)
          .execute()
      : [];
  const left = limit - same.length;
  const later =
    left === 0
      ? []
      : await query
          .where(at, '>', Math.max(position, 0))
          .where(at, '<=', until)
          .orderBy(at)
          .orderBy(id)
          .limit(left)
          .execute();
  const rows = [...same, ...later];
  const last = rows.at(-1);
  return last && { rows, next: positionOf(last) };
}
