import { type SqlBool, sql } from 'kysely';

/** The time and id of a row, where a page of a list ends. Ids alone are not in the order of time on every engine. */
export type TimedId = readonly [createdAt: number, id: number];

export interface PageBefore {
  readonly limit: number;
  readonly before?: TimedId | undefined;
}

/**
 * Matches rows after that one in a list with the newest first; all if there is none. Both engines seek to the row in this form:
 * SQLite does not seek by an OR, and MariaDB does not seek by row values.
 */
export function isOlder(before: TimedId | undefined, table: string) {
  if (!before) return sql<SqlBool>`1 = 1`;
  const [at, id] = before;
  const createdAt = sql.ref(`${table}.created_at`);
  return sql<SqlBool>`${createdAt} <= ${at} and (${createdAt} < ${at} or ${sql.ref(`${table}.id`)} < ${id})`;
}
