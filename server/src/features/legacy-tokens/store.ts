import type { ExpressionBuilder } from 'kysely';
import { addToDayStat, type StatCell } from '../../db/day-stat.ts';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import type { DaySpan } from '../../runtime/time.ts';

const MAX_IDS = 500;
/** How many recent players of all zones are read to find those of some zones. */
const MAX_RECENT = 500;

export function legacyStore(db: Db) {
  const { kysely } = db;

  /** Counts each player once a day: the condition holds only for the first instance. */
  function markGroup(ids: readonly number[], { day, from }: DaySpan): Promise<void> {
    const notToday = (eb: ExpressionBuilder<Database, 'player'>) =>
      eb.or([eb('legacy_seen_at', 'is', null), eb('legacy_seen_at', '<', from)]);
    return db.transaction(async (trx) => {
      const players = await trx
        .selectFrom('player')
        .select(['id', 'last_server_id'])
        .where('id', 'in', ids)
        .where(notToday)
        .execute();
      const cells: StatCell[] = [];
      for (const [serverId, group] of Map.groupBy(players, (player) => player.last_server_id ?? 0)) {
        const { numUpdatedRows } = await trx
          .updateTable('player')
          .set({ legacy_seen_at: db.now })
          .where(
            'id',
            'in',
            group.map(({ id }) => id),
          )
          .where(notToday)
          .executeTakeFirst();
        cells.push({ name: 'legacy_checks', day, serverId, part: 0, n: Number(numUpdatedRows) });
      }
      await addToDayStat(
        db.engine,
        trx,
        cells.filter(({ n }) => n > 0),
      );
    });
  }

  return {
    /** Records players who used an md5 token, and counts them by the zone they last entered. */
    async markSeen(ids: readonly number[], today: DaySpan): Promise<void> {
      const inOrder = [...ids].sort((a, b) => a - b);
      for (let start = 0; start < inOrder.length; start += MAX_IDS)
        await markGroup(inOrder.slice(start, start + MAX_IDS), today);
    },

    /** Returns the number of accounts per day and zone, newest day first. */
    async accountsByDay(since: string, zones: readonly number[] | null) {
      let query = kysely
        .selectFrom('day_stat')
        .select(['day', 'server_id as serverId', 'n'])
        .where('name', '=', 'legacy_checks')
        .where('day', '>=', since);
      if (zones) query = query.where('server_id', 'in', zones);
      return query.orderBy('day', 'desc').orderBy('server_id').execute();
    },

    /** Returns the most recent players, newest first. */
    lastSeen(
      limit: number,
      zones: readonly number[] | null,
    ): Promise<{ account: string; playerId: number; seenAt: number; serverId: number | null }[]> {
      const recent = kysely
        .selectFrom('player')
        .select(['account', 'id', 'legacy_seen_at', 'last_server_id'])
        .where('legacy_seen_at', 'is not', null)
        .orderBy('legacy_seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(zones ? MAX_RECENT : limit);
      let query = kysely
        .selectFrom(recent.as('recent'))
        .select((row) => [
          'account',
          'id as playerId',
          row.ref('legacy_seen_at').$notNull().as('seenAt'),
          'last_server_id as serverId',
        ]);
      if (zones) query = query.where('last_server_id', 'in', zones);
      return query.orderBy('legacy_seen_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    },
  };
}

export type LegacyStore = ReturnType<typeof legacyStore>;
