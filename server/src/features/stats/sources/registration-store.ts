import type { StatCell } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { StatSource } from '../store.ts';

/** Sums registrations by chosen zone, by hour and by promoter. */
export function registrationSource({ kysely }: Db, time: LocalTime): StatSource {
  return {
    name: 'player',
    sums: ['registrations', 'registrations_by_hour', 'registrations_by_promoter'],

    async head() {
      const row = await kysely
        .selectFrom('player')
        .select(({ fn }) => fn.max<number | null>('id').as('newest'))
        .executeTakeFirst();
      return row?.newest ?? 0;
    },

    async read({ position }, limit, until) {
      let query = kysely
        .selectFrom('player')
        .select(['id', 'created_at', 'server_id', 'agent_id'])
        .where('id', '>', position);
      if (until !== undefined) query = query.where('id', '<=', until);
      const rows = await query.orderBy('id').limit(limit).execute();
      const last = rows.at(-1);
      if (!last) return undefined;
      const cells = rows.flatMap(({ created_at, server_id, agent_id }): StatCell[] => {
        // Imported without a registration time: counts for no day.
        if (created_at === 0) return [];
        const { day, hour } = time.at(created_at);
        const one = { day, serverId: server_id ?? 0, n: 1 };
        return [
          { ...one, name: 'registrations', part: 0 },
          { ...one, name: 'registrations_by_hour', part: hour },
          { ...one, name: 'registrations_by_promoter', part: agent_id ?? 0 },
        ];
      });
      return { cells, next: { position: last.id, afterId: '' } };
    },
  };
}
