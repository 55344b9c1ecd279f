import type { OperatorRole } from '@gatehouse/contract/admin';
import { newestFirst, type PageBefore } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { countRows } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, insertedNew } from '../../../db/unchanged.ts';
import type { OperatorAccess } from '../operator.ts';
import { accessOf, withTotp } from '../store.ts';

export interface OperatorChange {
  readonly role?: OperatorRole | undefined;
  readonly zones?: readonly number[] | null | undefined;
  readonly status?: 'active' | 'disabled' | undefined;
}

export interface NewInvitation {
  readonly invitationHash: string;
  readonly lifetimeMs: number;
}

const zonesText = (zones: readonly number[] | null) => zones && JSON.stringify(zones);

const records = (from: Db['kysely'] | Trx) =>
  withTotp(from).select(['status', 'revision', 'operator.created_at', 'last_login_at', 'invited_until']);
type Row = Awaited<ReturnType<ReturnType<typeof records>['executeTakeFirstOrThrow']>>;

const toRecord = (row: Row) => ({
  ...accessOf(row),
  id: row.id,
  status: row.status as 'active' | 'disabled',
  totp: row.confirmed_at !== null,
  revision: row.revision,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
  invitedUntil: row.invited_until,
});

/** An operator, as shown to administrators. */
export type OperatorRecord = Readonly<ReturnType<typeof toRecord>>;

export function operatorAdminStore({ kysely, now }: Db) {
  return {
    /** Returns operators older than `before`, newest first. */
    async list(page: PageBefore): Promise<OperatorRecord[]> {
      return (await records(kysely).$call(newestFirst('operator', page)).execute()).map(toRecord);
    },

    async find(trx: Trx, name: string): Promise<OperatorRecord | undefined> {
      const row = await records(trx).where('name', '=', name).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Returns false if the name is taken. */
    async add(trx: Trx, { name, role, zones }: OperatorAccess, invitation: NewInvitation): Promise<boolean> {
      return insertedNew(
        trx.insertInto('operator').values(({ eb }) => ({
          name,
          role,
          zones: zonesText(zones),
          invitation_hash: invitation.invitationHash,
          invited_until: eb(now, '+', invitation.lifetimeMs),
        })),
      );
    },

    async change(trx: Trx, { id, revision }: OperatorRecord, { zones, ...change }: OperatorChange) {
      await trx
        .updateTable('operator')
        .set({ ...change, ...(zones !== undefined && { zones: zonesText(zones) }), revision: revision + 1 })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .$call(changeOrRepeat);
    },

    async invite(trx: Trx, { id, revision }: OperatorRecord, invitation: NewInvitation): Promise<void> {
      await trx
        .updateTable('operator')
        .set(({ eb }) => ({
          password_hash: null,
          invitation_hash: invitation.invitationHash,
          invited_until: eb(now, '+', invitation.lifetimeMs),
          revision: revision + 1,
        }))
        .where('id', '=', id)
        .where('revision', '=', revision)
        .$call(changeOrRepeat);
    },

    /**
     * Counts the operators who can administer the others. First updates every administrator's row: of two transactions that
     * would each leave the other's administrator as the last one, the second waits or is repeated and sees the first.
     */
    async countAdministrators(trx: Trx): Promise<number> {
      await trx
        .updateTable('operator')
        .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
        .where('role', '=', 'admin')
        .execute();
      return trx
        .selectFrom('operator')
        .where('role', '=', 'admin')
        .where('status', '=', 'active')
        .where('zones', 'is', null)
        .where('password_hash', 'is not', null)
        .$call(countRows);
    },
  };
}

export type OperatorAdminStore = ReturnType<typeof operatorAdminStore>;
