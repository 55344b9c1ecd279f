import { sweepOlder } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Operator, OperatorAccess } from './operator.ts';
import { accessOf } from './store.ts';

/** When a session expires. */
export interface SessionLimits {
  readonly lifetimeMs: number;
  readonly idleMs: number;
}

/** Sessions and keys are read on every request, so that their end takes effect on every instance immediately. */
export function sessionStore(db: Db) {
  const { kysely, now } = db;
  return {
    async open(trx: Trx, session: { tokenHash: string; operatorId: number; ip: string }): Promise<void> {
      await trx
        .insertInto('operator_session')
        .values({ token_hash: session.tokenHash, operator_id: session.operatorId, ip: session.ip })
        .execute();
    },

    /** Returns the operator of a session that is still valid, and the time since its last use. */
    async find(tokenHash: string, { lifetimeMs, idleMs }: SessionLimits) {
      const row = await kysely
        .selectFrom('operator_session')
        .innerJoin('operator', 'operator.id', 'operator_id')
        .leftJoin('two_factor', (join) =>
          join.onRef('owner_id', '=', 'operator.id').on('owner_kind', '=', 'operator'),
        )
        .select(['operator.id', 'name', 'role', 'zones', 'confirmed_at', 'last_seen_at', now.as('now')])
        .where('token_hash', '=', tokenHash)
        .where('status', '=', 'active')
        .where(({ eb }) => eb('operator_session.created_at', '>', eb(now, '-', lifetimeMs)))
        .where(({ eb }) => eb('last_seen_at', '>', eb(now, '-', idleMs)))
        .executeTakeFirst();
      if (!row) return undefined;
      const operator: Operator = { ...accessOf(row), id: row.id, totp: row.confirmed_at !== null };
      return { operator, idleMs: row.now - row.last_seen_at };
    },

    async touch(tokenHash: string): Promise<void> {
      await kysely
        .updateTable('operator_session')
        .set({ last_seen_at: now })
        .where('token_hash', '=', tokenHash)
        .execute();
    },

    async end(tokenHash: string): Promise<void> {
      await kysely.deleteFrom('operator_session').where('token_hash', '=', tokenHash).execute();
    },

    /** Ends every session of an operator except the kept one. */
    async endAll(trx: Trx, operatorId: number, kept = ''): Promise<void> {
      await trx
        .deleteFrom('operator_session')
        .where('operator_id', '=', operatorId)
        .where('token_hash', '!=', kept)
        .execute();
    },

    deleteOlderThan: sweepOlder(db, 'operator_session', ['token_hash'], 'created_at'),

    async findKey(keyHash: string): Promise<(OperatorAccess & { idleMs: number }) | undefined> {
      const row = await kysely
        .selectFrom('operator_key')
        .select(['name', 'role', 'zones', 'last_used_at', now.as('now')])
        .where('key_hash', '=', keyHash)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .executeTakeFirst();
      return row && { ...accessOf(row), idleMs: row.now - (row.last_used_at ?? 0) };
    },

    async touchKey(keyHash: string): Promise<void> {
      await kysely
        .updateTable('operator_key')
        .set({ last_used_at: now })
        .where('key_hash', '=', keyHash)
        .execute();
    },
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
