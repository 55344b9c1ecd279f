import type { StatName } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { StatSource } from '../store.ts';
import { readByTime } from './by-time-store.ts';

/**
 * Sums withdrawals that ended in a state by the day they were requested. A settled withdrawal never changes, so each is read
 * once, in the order of settlement.
 */
export function withdrawalSource(db: Db, time: LocalTime, state: 'done' | 'failed'): StatSource {
  const sums: StatName[] =
    state === 'done'
      ? ['withdrawn_done', 'withdrawn_amount', 'withdrawn_amount_by_hour']
      : ['withdrawn_failed'];
  const settled = db.kysely
    .selectFrom('withdraw')
    .select(['id', 'created_at', 'updated_at', 'server_id', 'amount'])
    .where('state', '=', state);

  return {
    name: `withdraw_${state}`,
    sums,

    head: db.readTime,

    read: readByTime(
      {
        rows: settled,
        at: 'updated_at',
        id: 'id',
        idFrom: String,
        positionOf: (row) => ({ position: row.updated_at, afterId: row.id }),
      },
      (rows) =>
        rows.flatMap(({ created_at, server_id, amount }) => {
          const { day, hour } = time.at(created_at);
          return sums.map((name) => ({
            name,
            day,
            serverId: server_id,
            part: name === 'withdrawn_amount_by_hour' ? hour : 0,
            n: name.startsWith('withdrawn_amount') ? amount : 1,
          }));
        }),
    ),
  };
}
