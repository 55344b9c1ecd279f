import type { Db } from '../../db/open.ts';
import { valuesOf } from '../../db/row-count.ts';
import type { Trx } from '../../db/transaction.ts';
import { type Sealer, sealContext } from '../../security/sealer.ts';

export interface NewZoneKey {
  readonly keyId: string;
  readonly serverId: number;
  readonly createdBy: string;
  readonly key: string;
}

export function zoneKeyStore({ kysely }: Pick<Db, 'kysely'>) {
  return {
    /** Returns keys by zone, oldest first. */
    list() {
      return kysely
        .selectFrom('zone_key')
        .select([
          'key_id as keyId',
          'server_id as serverId',
          'created_by as createdBy',
          'created_at as createdAt',
        ])
        .orderBy('server_id')
        .orderBy('created_at')
        .execute();
    },

    /** Returns the plain keys. Those that the sealer cannot open are left out. */
    async secrets(sealer: Pick<Sealer, 'open'>): Promise<{ serverId: number; key: string }[]> {
      const rows = await kysely.selectFrom('zone_key').select(['key_id', 'server_id', 'secret']).execute();
      return rows.flatMap(({ key_id, server_id, secret }) => {
        const opened = sealer.open(secret, sealContext.zoneKey(key_id));
        return opened ? [{ serverId: server_id, key: opened.bytes.toString() }] : [];
      });
    },

    async add(trx: Trx, sealer: Pick<Sealer, 'seal'>, key: NewZoneKey): Promise<void> {
      await trx
        .insertInto('zone_key')
        .values({
          key_id: key.keyId,
          server_id: key.serverId,
          secret: sealer.seal(key.key, sealContext.zoneKey(key.keyId)),
          created_by: key.createdBy,
        })
        .execute();
    },

    /** Deletes one key of the zone, or all of them. Returns their ids. */
    async remove(trx: Trx, serverId: number, keyId?: string): Promise<string[]> {
      const all = await trx
        .selectFrom('zone_key')
        .select('key_id')
        .where('server_id', '=', serverId)
        .$call(valuesOf('key_id'));
      const ids = all.filter((each) => keyId === undefined || each === keyId);
      if (ids.length > 0) await trx.deleteFrom('zone_key').where('key_id', 'in', ids).execute();
      return ids;
    },
  };
}

export type ZoneKeyStore = ReturnType<typeof zoneKeyStore>;
