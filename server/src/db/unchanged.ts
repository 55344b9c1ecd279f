import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely';
import { ChangedMeanwhile, classify } from './errors.ts';
import type { Database } from './schema.ts';
import type { Trx } from './transaction.ts';

/** A condition that the row is still as it was read, so that a decision applies to no other state. */
export function unchanged<T extends keyof Database>(row: {
  readonly [column: string]: string | number | null;
}): (eb: ExpressionBuilder<Database, T>) => Expression<SqlBool> {
  return (eb) =>
    eb.and(
      Object.entries(row).map(([column, value]) =>
        eb(column as ReferenceExpression<Database, T>, value === null ? 'is' : '=', value as never),
      ),
    );
}

/** The same condition, to find rows by several columns. */
export const equal = unchanged;

/** An update or a delete. */
interface Change {
  executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint } | { readonly numDeletedRows: bigint }>;
}

/** Changes one row. Returns false if its condition does not hold. */
export async function changedOne(change: Change): Promise<boolean> {
  const result = await change.executeTakeFirst();
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) === 1n;
}

/** Changes one row. Repeats the transaction if its condition does not hold. */
export async function changeOrRepeat(change: Change): Promise<void> {
  if (!(await changedOne(change))) throw new ChangedMeanwhile('the row was changed by another transaction');
}

/** Inserts rows. Returns false if a unique key is taken. */
export async function insertedNew(insert: { execute(): Promise<unknown> }): Promise<boolean> {
  try {
    await insert.execute();
    return true;
  } catch (error) {
    if (classify(error) === 'duplicate') return false;
    throw error;
  }
}

/** Inserts rows. Repeats the transaction if a unique key is taken. */
export async function insertOrRepeat(insert: { execute(): Promise<unknown> }): Promise<void> {
  if (!(await insertedNew(insert))) throw new ChangedMeanwhile('another transaction has inserted the row');
}

/**
 * Lets transactions of one kind run one after another, before they compare a count with a limit: the second one waits here or is
 * repeated, and counts what the first has written.
 */
export async function serialize(trx: Trx, kind: 'webhook' | 'news_picture' | 'unbinding'): Promise<void> {
  const row = { name: `serialize.${kind}`, value: randomUUID() };
  const touched = await changedOne(trx.updateTable('watch_state').set(row).where('name', '=', row.name));
  if (!touched) await insertOrRepeat(trx.insertInto('watch_state').values(row));
}
