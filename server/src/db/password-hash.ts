import { type Kysely, sql } from 'kysely';
import { compiledForMany } from './lookup.ts';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

export interface HashChange {
  readonly id: number;
  /** The hash when the row was read. */
  readonly from: string;
  readonly to: string;
}

/** Rows per statement. Its cases are searched linearly, so more rows would cost more for each. */
const ROWS = 64;

/** Rewrites players' password hashes of one kind, many per statement. A hash that has changed since stays. */
export function hashWriter(db: Db, column: 'password_hash' | 'password_argon2' = 'password_hash') {
  const stored = sql.ref(column);
  const update = compiledForMany((changes: [id: number, from: string, to: string][]) => {
    const cases = changes.map(
      ([id, from, to]) =>
        sql`when id = ${id} then case when ${stored} = ${from} then ${to} else ${stored} end`,
    );
    return db.kysely
      .updateTable('player')
      .set({ [column]: sql<string>`case ${sql.join(cases, sql` `)} else ${stored} end` })
      .where(
        'id',
        'in',
        changes.map(([id]) => id),
      );
  }, 3);

  return async (trx: Kysely<Database>, changes: readonly HashChange[]): Promise<void> => {
    // Sort by id, so that all instances lock rows in the same order.
    const sorted = [...changes].sort((a, b) => a.id - b.id);
    for (let start = 0; start < sorted.length; start += ROWS) {
      const some = sorted.slice(start, start + ROWS);
      await trx.executeQuery(update(some.map(({ id, from, to }) => [id, from, to] as const)));
    }
  };
}
