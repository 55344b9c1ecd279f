import type { ZoneStatus } from '@gatehouse/contract';
import type { Db } from '../../db/open.ts';

/** A game zone as the operator configured it. */
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
}

export function zoneStore({ kysely }: Pick<Db, 'kysely'>) {
  return {
    /** All zones, closed ones too, in the order for display. */
    async all(): Promise<Zone[]> {
      const rows = await kysely
        .selectFrom('server')
        .selectAll()
        .orderBy('sort')
        .orderBy('server_id')
        .execute();
      return rows.map((row) => ({
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
      }));
    },
  };
}

export type ZoneStore = ReturnType<typeof zoneStore>;
