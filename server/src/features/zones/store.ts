import { type ZoneStatus, zoneStatuses } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import { changedOne } from '../../db/unchanged.ts';

/** A game zone, as configured by the operator. */
export type Zone = Readonly<ReturnType<typeof toZone>>;

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

    /** Returns false if the failure is known already. */
    async beginGmFailure(serverId: number, why: string): Promise<boolean> {
      return kysely
        .updateTable('server')
        .set({ gm_failing_since: now, gm_failure: why.slice(0, 255) })
        .where('server_id', '=', serverId)
        .where('gm_failing_since', 'is', null)
        .$call(changedOne);
    },

    /** Returns when the failure began, or undefined if none is recorded. */
    async endGmFailure(serverId: number): Promise<number | undefined> {
      const row = await kysely
        .selectFrom('server')
        .select('gm_failing_since as since')
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      if (!row || row.since === null) return undefined;
      const hasEnded = await kysely
        .updateTable('server')
        .set({ gm_failing_since: null, gm_failure: null })
        .where('server_id', '=', serverId)
        .where('gm_failing_since', '=', row.since)
        .$call(changedOne);
      return hasEnded ? row.since : undefined;
    },
  };
}

function toZone(row: Selectable<Database['server']>) {
  return {
    serverId: row.server_id,
    name: row.name,
    address: row.address,
    port: row.port,
    status: statusOf(row.status),
    sort: row.sort,
    openedAt: row.opened_at,
    message: row.message,
    gmUrl: row.gm_url,
    databaseUrl: row.database_url,
    /** The zone that has this one's players since a merge. */
    mergedInto: row.merged_into,
    /** When the maintenance ends automatically. */
    maintenanceUntil: row.maintenance_until,
    /** Null while the GM interface works. */
    gmFailingSince: row.gm_failing_since,
    gmFailure: row.gm_failure,
    /** Null: as the settings say. */
    gmReceipts: row.gm_receipts === null ? null : row.gm_receipts !== 0,
    gmSignatureVersion: row.gm_signature_version,
  };
}

/** A word that operators misspelt by SQL must not open a zone. */
const statusOf = (word: string): ZoneStatus =>
  zoneStatuses.find((status) => status === word) ?? 'maintenance';

export type ZoneStore = ReturnType<typeof zoneStore>;
