import { REGISTRATIONS, type StatCell } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { StatSource } from '../store.ts';
import { readByTime } from './by-time-store.ts';

/** Sums registrations by chosen zone, by hour and by promoter. */
export function registrationSource(db: Db, time: LocalTime): StatSource {
  const players = db.kysely.selectFrom('player').select(['id', 'created_at', 'server_id', 'agent_id']);
  return {
    name: REGISTRATIONS.source,
    sums: REGISTRATIONS.sums,
    head: db.readTime,

    read: readByTime(
      // Players imported without a registration time have 0 and count for no day.
      {
        rows: players,
        at: 'created_at',
        id: 'id',
        idFrom: Number,
        positionOf: (row) => ({ position: row.created_at, afterId: String(row.id) }),
      },
      (rows) =>
        rows.flatMap(({ created_at, server_id, agent_id }): StatCell[] => {
          const { day, hour } = time.at(created_at);
          const one = { day, serverId: server_id ?? 0, n: 1 };
          return [
            { ...one, name: 'registrations', part: 0 },
            { ...one, name: 'registrations_by_hour', part: hour },
            { ...one, name: 'registrations_by_promoter', part: agent_id ?? 0 },
          ];
        }),
    ),
  };
}
