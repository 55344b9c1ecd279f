import type { ZoneStatus } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';

/** A game zone, as configured by the operator. */
export interface Zone {
  readonly serverId: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly status: ZoneStatus;
  readonly sort: number;
  readonly openedAt: number | null;
  readonly message: string | null;
  readonly gmUrl: string | null;
  readonly databaseUrl: string | null;
  /** The zone that has this one's players since a merge. */
  readonly mergedInto: number | null;
  /** When the maintenance ends automatically. */
  readonly maintenanceUntil: number | null;
}

export function zoneStore({ kysely, now }: Pick<Db, 'kysely' | 'now'>) {
  /** Returns all zones in display order, including closed and merged ones, and the database time if there is any zone. */
  async function snapshot(): Promise<{ zones: Zone[]; now: number | undefined }> {
    const rows = await kysely
      .selectFrom('server')
      .selectAll()
      .select(now.as('now'))
      .orderBy('sort')
      .orderBy('server_id')
      .execute();
    return { zones: rows.map(toZone), now: rows[0]?.now };
  }
  return {
    snapshot,
    all: async () => (await snapshot()).zones,

    /**
     * Writes the end of a maintenance, so that the row matches what is shown and the old end does not end the next maintenance.
     */
    async endMaintenance(): Promise<void> {
      await kysely
        .updateTable('server')
        .set({ status: 'open', maintenance_until: null })
        .where('status', '=', 'maintenance')
        .where('maintenance_until', '<=', now)
        .execute();
    },
  };
}

export function toZone(row: Selectable<Database['server']>): Zone {
  return {
    serverId: row.server_id,
    name: row.name,
    address: row.address,
    port: row.port,
    status: row.status as ZoneStatus,
    sort: row.sort,
    openedAt: row.opened_at,
    message: row.message,
    gmUrl: row.gm_url,
    databaseUrl: row.database_url,
    mergedInto: row.merged_into,
    maintenanceUntil: row.maintenance_until,
  };
}

export type ZoneStore = ReturnType<typeof zoneStore>;
