import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely';
import { ChangedMeanwhile } from './errors.ts';
import type { Database } from './schema.ts';

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

/** Repeats the transaction if the condition no longer held. */
export function repeatUnless(rows: bigint): void {
  if (rows !== 1n) throw new ChangedMeanwhile('the row was changed by another transaction');
}
