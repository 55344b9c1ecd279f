import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Db } from '../../src/db/open.ts';
import type { Database } from '../../src/db/schema.ts';

type Row = Insertable<Database['withdraw']>;

/** Inserts withdrawals directly, without a game. */
export async function addWithdrawals(
  { transaction }: Db,
  count: number,
  row: (n: number) => Partial<Row>,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    player_id: 1,
    server_id: 1,
    amount: 100,
    state: 'done',
    ...row(n),
  }));
  await transaction(async (trx) => {
    for (let begin = 0; begin < count; begin += 500)
      await trx
        .insertInto('withdraw')
        .values(rows.slice(begin, begin + 500))
        .execute();
  });
}

/** Adds a withdrawal with an unknown outcome, which blocks its role. */
export function addUnknown(db: Db, id: string, row: Partial<Row> = {}): Promise<void> {
  return addWithdrawals(db, 1, () => ({ id, state: 'unknown', open_key: `1:${id}`, ...row }));
}

/** Returns the amount an account has withdrawn on a day. */
export async function dayAmount({ kysely }: Db, playerId: number, day: string): Promise<number> {
  const { amount } = await kysely
    .selectFrom('withdraw_day')
    .select('amount')
    .where('player_id', '=', playerId)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return amount;
}
