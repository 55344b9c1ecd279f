import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** The time and id of a row, where a page of a list ends. Ids alone are not in the order of time on every engine. */
export type TimedId<Id = number> = readonly [at: number, id: Id];

export interface PageBefore {
  readonly limit: number;
  readonly before?: TimedId | undefined;
}

/**
 * Matches rows after a position in a list that is sorted by time and id. Both engines seek to the row in this form: SQLite does
 * not seek by an OR, and MariaDB does not seek by row values.
 */
export function isPast(
  [time, rowId]: TimedId<number | string>,
  order: 'asc' | 'desc',
  { at = 'created_at', id = 'id' } = {},
) {
  const [from, past] = order === 'desc' ? [sql`<=`, sql`<`] : [sql`>=`, sql`>`];
  const column = sql.ref(at);
  return sql<SqlBool>`${column} ${from} ${time} and (${column} ${past} ${time} or ${sql.ref(id)} ${past} ${rowId})`;
}

/** Selects a page of a list with the newest first. */
export function newestFirst(table: string, { limit, before }: PageBefore) {
  const [at, id] = [`${table}.created_at`, `${table}.id`];
  return <DB, T extends keyof DB, Row>(query: SelectQueryBuilder<DB, T, Row>) =>
    (before ? query.where(isPast(before, 'desc', { at, id })) : query)
      .orderBy(sql.ref(at), 'desc')
      .orderBy(sql.ref(id), 'desc')
      .limit(limit);
}
