import { newestFirst, type PageBefore } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { hasRow, valuesOf } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changedOne, insertedNew } from '../../../db/unchanged.ts';
import type { OperatorAccess } from '../operator.ts';
import { accessOf } from '../store.ts';

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
    async list(page: PageBefore) {
      const rows = await kysely
        .selectFrom('operator_key')
        .selectAll()
        .$call(newestFirst('operator_key', page))
        .execute();
      return rows.map((row) => ({
        ...accessOf(row),
        id: row.id,
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

    namesMadeBy: (trx: Trx, operatorId: number): Promise<string[]> =>
      trx
        .selectFrom('operator_key')
        .select('name')
        .where('operator_id', '=', operatorId)
        .orderBy('id')
        .$call(valuesOf('name')),

    /** Deletes a key and returns its access. Undefined if there is no such key or a concurrent call deleted it. */
    async revoke(trx: Trx, name: string): Promise<OperatorAccess | undefined> {
      const key = await trx
        .selectFrom('operator_key')
        .select(['name', 'role', 'zones'])
        .where('name', '=', name)
        .executeTakeFirst();
      const isDeleted = await trx.deleteFrom('operator_key').where('name', '=', name).$call(changedOne);
      return key && isDeleted ? accessOf(key) : undefined;
    },
  };
}

export type KeyStore = ReturnType<typeof keyStore>;
export type KeyRecord = Awaited<ReturnType<KeyStore['list']>>[number];
