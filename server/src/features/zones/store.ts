import type { ZoneStatus } from '@gatehouse/contract';
import { classify } from '../../db/errors.ts';
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

/** What the CLI may set; times in milliseconds. */
export interface ZoneFields {
  readonly name?: string;
  readonly address?: string;
  readonly port?: number;
  readonly status?: ZoneStatus;
  readonly sort?: number;
  readonly opened_at?: number | null;
  readonly message?: string | null;
  readonly gm_url?: string | null;
  readonly database_url?: string | null;
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

    async add(
      zone: ZoneFields & { server_id: number; name: string; address: string; port: number },
    ): Promise<boolean> {
      try {
        await kysely.insertInto('server').values(zone).execute();
        return true;
      } catch (error) {
        if (classify(error) === 'duplicate') return false;
        throw error;
      }
    },

    async set(serverId: number, fields: ZoneFields): Promise<boolean> {
      const { numUpdatedRows } = await kysely
        .updateTable('server')
        .set(fields)
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async remove(serverId: number): Promise<boolean> {
      const { numDeletedRows } = await kysely
        .deleteFrom('server')
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}

export type ZoneStore = ReturnType<typeof zoneStore>;
