import { type Kysely, sql } from 'kysely';
import type { Db } from './open.ts';
import { compiledForMany } from './prepared.ts';
import type { Database } from './schema.ts';

export interface HashChange {
  readonly id: number;
  /** As the row had it when it was read. */
  readonly from: string;
  readonly to: string;
}

/** Rows of one statement: its cases are searched one by one, so that more would take longer for each. */
const ROWS = 64;

/** Writes password hashes of players in another form, many with one statement; a hash that has changed since stays. */
export function hashWriter(db: Db) {
  const update = compiledForMany((changes: [id: number, from: string, to: string][]) => {
    const cases = changes.map(
      ([id, from, to]) =>
        sql`when id = ${id} then case when password_hash = ${from} then ${to} else password_hash end`,
    );
    return db.kysely
      .updateTable('player')
      .set({ password_hash: sql<string>`case ${sql.join(cases, sql` `)} else password_hash end` })
      .where(
        'id',
        'in',
        changes.map(([id]) => id),
      );
  }, 3);

  return async (trx: Kysely<Database>, changes: readonly HashChange[]): Promise<void> => {
    // In the order of ids, as every instance locks them.
    const sorted = [...changes].sort((a, b) => a.id - b.id);
    for (let start = 0; start < sorted.length; start += ROWS) {
      const some = sorted.slice(start, start + ROWS);
      await trx.executeQuery(update(some.map(({ id, from, to }) => [id, from, to] as const)));
    }
  };
}
