import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely';
import { ChangedMeanwhile } from './errors.ts';
import type { Database } from './schema.ts';

/** The condition that a row still is as it was read: what was decided by it happens to no other state of it. */
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

/** Has the transaction repeated when the condition did not hold any more. */
export function repeatUnless(rows: bigint): void {
  if (rows !== 1n) throw new ChangedMeanwhile('the row was changed by another transaction');
}
