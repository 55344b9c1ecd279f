import type { OperatorRole } from '@gatehouse/contract/admin';
import { isOlder, type PageBefore } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { hasRow } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changedOne, insertedNew } from '../../../db/unchanged.ts';
import type { OperatorAccess } from '../operator.ts';
import { zonesIn } from '../store.ts';

export interface KeyRecord extends OperatorAccess {
  readonly id: number;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface NewKey extends OperatorAccess {
  readonly keyHash: string;
  readonly createdBy: string;
  /** Undefined if the key was made on the command line. */
  readonly operatorId: number | undefined;
  /** Never expires if undefined. */
  readonly lifetimeMs?: number | undefined;
}

export function keyStore({ kysely, now }: Db) {
  return {
    /** Returns keys older than `before`, newest first. */
    async list({ limit, before }: PageBefore): Promise<KeyRecord[]> {
      const rows = await kysely
        .selectFrom('operator_key')
        .selectAll()
        .where(isOlder(before, 'operator_key'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        role: row.role as OperatorRole,
        zones: zonesIn(row.zones),
        createdBy: row.created_by,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at,
      }));
    },

    /** Returns false if the name is taken. */
    async add(trx: Trx, key: NewKey): Promise<boolean> {
      const { lifetimeMs } = key;
      return insertedNew(
        trx.insertInto('operator_key').values(({ eb }) => ({
          name: key.name,
          key_hash: key.keyHash,
          role: key.role,
          zones: key.zones && JSON.stringify(key.zones),
          created_by: key.createdBy,
          operator_id: key.operatorId ?? null,
          expires_at: lifetimeMs === undefined ? null : eb(now, '+', lifetimeMs),
        })),
      );
    },

    isTaken: (trx: Trx, name: string): Promise<boolean> =>
      trx.selectFrom('operator_key').select('id').where('name', '=', name).$call(hasRow),

    async namesMadeBy(trx: Trx, operatorId: number): Promise<string[]> {
      const rows = await trx
        .selectFrom('operator_key')
        .select('name')
        .where('operator_id', '=', operatorId)
        .orderBy('id')
        .execute();
      return rows.map(({ name }) => name);
    },

    /** Deletes a key and returns its access. Undefined if there is no such key or a concurrent call deleted it. */
    async revoke(trx: Trx, name: string): Promise<OperatorAccess | undefined> {
      const key = await trx
        .selectFrom('operator_key')
        .select(['name', 'role', 'zones'])
        .where('name', '=', name)
        .executeTakeFirst();
      const isDeleted = await trx.deleteFrom('operator_key').where('name', '=', name).$call(changedOne);
      if (!key || !isDeleted) return undefined;
      return { name: key.name, role: key.role as OperatorRole, zones: zonesIn(key.zones) };
    },
  };
}

export type KeyStore = ReturnType<typeof keyStore>;
