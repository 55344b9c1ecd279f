import type { StatCell, StatName } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { Position, StatSource } from '../store.ts';

interface Settled {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly server_id: number;
  readonly amount: number;
}

/**
 * Sums withdrawals that ended in a state by the day they were requested. A settled withdrawal never changes, so each is read
 * once, in the order of settlement.
 */
export function withdrawalSource(db: Db, time: LocalTime, state: 'done' | 'failed'): StatSource {
  const { kysely } = db;
  const sums: StatName[] = state === 'done' ? ['withdrawn_done', 'withdrawn_amount'] : ['withdrawn_failed'];
  const settled = () =>
    kysely
      .selectFrom('withdraw')
      .select(['id', 'created_at', 'updated_at', 'server_id', 'amount'])
      .where('state', '=', state);

  /** Uses two queries, because no condition over both columns lets both engines start at the position. */
  async function rowsAfter(after: Position, limit: number, until: number | undefined): Promise<Settled[]> {
    const same = await settled()
      .where('updated_at', '=', after.position)
      .where('id', '>', after.afterId)
      .orderBy('id')
      .limit(limit)
      .execute();
    if (same.length === limit) return same;
    let later = settled().where('updated_at', '>', after.position);
    if (until !== undefined) later = later.where('updated_at', '<=', until);
    const rows = await later
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit - same.length)
      .execute();
    return [...same, ...rows];
  }

  return {
    name: `withdraw_${state}`,
    sums,

    async head() {
      const row = await kysely.selectNoFrom(db.now.as('now')).executeTakeFirstOrThrow();
      return row.now;
    },

    async read(after, limit, until) {
      const rows = await rowsAfter(after, limit, until);
      const last = rows.at(-1);
      if (!last) return undefined;
      const cells = rows.flatMap(({ created_at, server_id, amount }) => {
        const { day } = time.at(created_at);
        return sums.map(
          (name): StatCell => ({
            name,
            day,
            serverId: server_id,
            part: 0,
            n: name === 'withdrawn_amount' ? amount : 1,
          }),
        );
      });
      return { cells, next: { position: last.updated_at, afterId: last.id } };
    },
  };
}
