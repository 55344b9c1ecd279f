import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Counts the rows of a query that selects nothing yet. */
export async function countRows<T extends keyof Database>(
  query: SelectQueryBuilder<Database, T, object>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Reports whether a query finds a row. */
export async function hasRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** Returns the values of one column. */
export const valuesOf =
  <C extends string>(column: C) =>
  async <V>(query: { execute(): Promise<readonly Readonly<Record<C, V>>[]> }): Promise<V[]> =>
    (await query.execute()).map((row) => row[column]);

/** Inserts a row and returns its generated id. */
export async function insertedId(insert: {
  executeTakeFirstOrThrow(): Promise<{ readonly insertId: bigint | undefined }>;
}): Promise<number> {
  return Number((await insert.executeTakeFirstOrThrow()).insertId);
}
