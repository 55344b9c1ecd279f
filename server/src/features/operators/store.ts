import type { OperatorRole } from '@gatehouse/contract/admin';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import { networkOf } from '../../security/addresses.ts';
import { type SealedTexts, sealContext } from '../../security/sealer.ts';
import type { Operator, OperatorAccess } from './operator.ts';

/** The data a login is checked against. */
export interface OperatorCredentials extends Operator {
  /** As stored. A replacement must check that the row still has it. */
  readonly storedHash: string | null;
  /** The plain PHC string. */
  readonly passwordHash: string | null;
  readonly active: boolean;
  readonly usualAddresses: readonly string[];
}

/** Returns the access in a row of an operator or a key. */
export const accessOf = (row: { name: string; role: string; zones: string | null }): OperatorAccess => ({
  name: row.name,
  role: row.role as OperatorRole,
  zones: row.zones === null ? null : JSON.parse(row.zones),
});

/** Selects operators, with the time when their second factor was confirmed. */
export const withTotp = (from: Db['kysely'] | Trx) =>
  from
    .selectFrom('operator')
    .leftJoin('two_factor', (join) =>
      join.onRef('owner_id', '=', 'operator.id').on('owner_kind', '=', 'operator'),
    )
    .select(['operator.id', 'name', 'role', 'zones', 'confirmed_at']);

/** Addresses of earlier logins, newest first. Rows of earlier versions have only the last one. */
function usualAddressesOf(row: { login_ips: string | null; last_login_ip: string | null }): string[] {
  if (row.login_ips !== null) return JSON.parse(row.login_ips);
  return row.last_login_ip === null ? [] : [row.last_login_ip];
}

/** How many addresses of an operator count as usual. */
const MAX_USUAL = 8;

/** Operators' login and requests. Changes by administrators are in admin/store.ts. */
export function operatorStore(db: Db, hashes: SealedTexts) {
  const { kysely, now } = db;
  const sealed = (hash: string, id: number) => hashes.seal(hash, sealContext.operator(id));
  const operators = () => withTotp(kysely).select(['status', 'password_hash', 'last_login_ip', 'login_ips']);
  const raiseRevision = (trx: Trx, id: number) =>
    trx
      .updateTable('operator')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where('id', '=', id);
  type Row = Awaited<ReturnType<ReturnType<typeof operators>['executeTakeFirstOrThrow']>>;
  const toCredentials = (row: Row): OperatorCredentials => ({
    ...accessOf(row),
    id: row.id,
    totp: row.confirmed_at !== null,
    storedHash: row.password_hash,
    passwordHash: row.password_hash && (hashes.open(row.password_hash, sealContext.operator(row.id)) ?? null),
    active: row.status === 'active',
    usualAddresses: usualAddressesOf(row),
  });

  return {
    async findByName(name: string): Promise<OperatorCredentials | undefined> {
      const row = await operators().where('operator.name', '=', name).executeTakeFirst();
      return row && toCredentials(row);
    },

    /** Returns the operator of an invitation, or undefined if it is unknown, used or expired. */
    async findInvited(invitationHash: string): Promise<OperatorCredentials | undefined> {
      const row = await operators()
        .where('invitation_hash', '=', invitationHash)
        .where('invited_until', '>', now)
        .where('operator.status', '=', 'active')
        .executeTakeFirst();
      return row && toCredentials(row);
    },

    /** Uses up the invitation by setting the password. Returns false if it was used meanwhile. */
    async acceptInvitation(
      trx: Trx,
      { id, invitationHash, passwordHash }: { id: number; invitationHash: string; passwordHash: string },
    ): Promise<boolean> {
      return trx
        .updateTable('operator')
        .set({ password_hash: sealed(passwordHash, id), invitation_hash: null, invited_until: null })
        .where('id', '=', id)
        .where('invitation_hash', '=', invitationHash)
        .$call(changedOne);
    },

    /** Replaces the password that was checked. Returns false if it has changed meanwhile. */
    async changePassword(
      trx: Trx,
      { id, from, to }: { id: number; from: string; to: string },
    ): Promise<boolean> {
      return trx
        .updateTable('operator')
        .set({ password_hash: sealed(to, id) })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .$call(changedOne);
    },

    /**
     * Locks the operator's row for a login. Returns false if the password or the second factor that it was checked with has been
     * replaced meanwhile: the sessions that were ended then would gain another.
     */
    async hold(trx: Trx, { id, storedHash, totp }: OperatorCredentials): Promise<boolean> {
      const isSame = await raiseRevision(trx, id)
        .where('status', '=', 'active')
        .where('password_hash', '=', storedHash)
        .$call(changedOne);
      if (!isSame || totp) return isSame;
      const row = await withTotp(trx).where('operator.id', '=', id).executeTakeFirst();
      return row?.confirmed_at === null;
    },

    /** Writes the operator's row, so that logins under way notice a change of another table. */
    async touch(trx: Trx, id: number): Promise<void> {
      await raiseRevision(trx, id).execute();
    },

    async recordLogin(
      trx: Trx,
      { id, usualAddresses }: Pick<OperatorCredentials, 'id' | 'usualAddresses'>,
      ip: string,
    ): Promise<void> {
      const others = usualAddresses.filter((known) => networkOf(known) !== networkOf(ip));
      const login_ips = JSON.stringify([ip, ...others].slice(0, MAX_USUAL));
      await trx
        .updateTable('operator')
        .set({ last_login_at: now, last_login_ip: ip, login_ips })
        .where('id', '=', id)
        .execute();
    },
  };
}

export type OperatorStore = ReturnType<typeof operatorStore>;
