import type { ZoneStatus } from '@gatehouse/contract';
import { classify } from '../../../db/errors.ts';
import type { Trx } from '../../../db/transaction.ts';
import { repeatUnless, unchanged } from '../../../db/unchanged.ts';

/** A zone as operators set it; times in milliseconds. */
export interface ZoneState {
  readonly server_id: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly status: ZoneStatus;
  readonly sort: number;
  readonly opened_at: number | null;
  readonly message: string | null;
  readonly gm_url: string | null;
  readonly database_url: string | null;
}

export type ZoneFields = Partial<Omit<ZoneState, 'server_id'>>;

export type NewZone = ZoneFields & Pick<ZoneState, 'server_id' | 'name' | 'address' | 'port'>;

export function zoneAdminStore() {
  return {
    async stateOf(trx: Trx, serverId: number): Promise<ZoneState | undefined> {
      const row = await trx
        .selectFrom('server')
        .selectAll()
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row && { ...row, status: row.status as ZoneStatus };
    },

    /** False where the zone is there already. */
    async add(trx: Trx, zone: NewZone): Promise<boolean> {
      try {
        await trx.insertInto('server').values(zone).execute();
        return true;
      } catch (error) {
        if (classify(error) === 'duplicate') return false;
        throw error;
      }
    },

    async change(trx: Trx, before: ZoneState, fields: ZoneFields): Promise<void> {
      const { numUpdatedRows } = await trx
        .updateTable('server')
        .set(fields)
        .where(unchanged({ ...before }))
        .executeTakeFirst();
      repeatUnless(numUpdatedRows);
    },

    async remove(trx: Trx, before: ZoneState): Promise<void> {
      const { numDeletedRows } = await trx
        .deleteFrom('server')
        .where(unchanged({ ...before }))
        .executeTakeFirst();
      repeatUnless(numDeletedRows);
    },
  };
}

export type ZoneAdminStore = ReturnType<typeof zoneAdminStore>;
