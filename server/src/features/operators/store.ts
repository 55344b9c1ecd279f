import type { OperatorRole } from '@gatehouse/contract/admin';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import { networkOf } from '../../security/addresses.ts';
import { type SealedTexts, sealContext } from '../../security/sealer.ts';
import type { Operator } from './operator.ts';

/** The data a login is checked against. */
export interface OperatorCredentials extends Operator {
  /** As stored. A replacement must check that the row still has it. */
  readonly storedHash: string | null;
  /** The plain PHC string. */
  readonly passwordHash: string | null;
  readonly active: boolean;
  readonly usualAddresses: readonly string[];
}

const columns = [
  'operator.id',
  'operator.name',
  'operator.role',
  'operator.zones',
  'operator.status',
  'operator.password_hash',
  'operator.last_login_ip',
  'operator.login_ips',
  'two_factor.confirmed_at',
] as const;

type Row = Pick<
  Selectable<Database['operator'] & Database['two_factor']>,
  | 'id'
  | 'name'
  | 'role'
  | 'zones'
  | 'status'
  | 'password_hash'
  | 'last_login_ip'
  | 'login_ips'
  | 'confirmed_at'
>;

export const zonesIn = (text: string | null): number[] | null => (text === null ? null : JSON.parse(text));

const credentialsOf =
  (hashes: SealedTexts) =>
  (row: Row): OperatorCredentials => ({
    id: row.id,
    name: row.name,
    role: row.role as OperatorRole,
    zones: zonesIn(row.zones),
    totp: row.confirmed_at !== null,
    storedHash: row.password_hash,
    passwordHash: openedHash(row, hashes),
    active: row.status === 'active',
    usualAddresses: usualAddressesOf(row),
  });

/** Addresses of earlier logins, newest first. Rows of earlier versions have only the last one. */
function usualAddressesOf({ login_ips, last_login_ip }: Row): string[] {
  if (login_ips !== null) return JSON.parse(login_ips);
  return last_login_ip === null ? [] : [last_login_ip];
}

/** How many addresses of an operator count as usual. */
const MAX_USUAL = 8;

const openedHash = ({ id, password_hash }: Row, hashes: SealedTexts) =>
  password_hash && (hashes.open(password_hash, sealContext.operator(id)) ?? null);

/** Operators' login and requests. Changes by administrators are in admin/store.ts. */
export function operatorStore(db: Db, hashes: SealedTexts) {
  const { kysely, now } = db;
  const toCredentials = credentialsOf(hashes);
  const sealed = (hash: string, id: number) => hashes.seal(hash, sealContext.operator(id));
  const operators = () =>
    kysely
      .selectFrom('operator')
      .leftJoin('two_factor', (join) =>
        join.onRef('owner_id', '=', 'operator.id').on('owner_kind', '=', 'operator'),
      )
      .select(columns);

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
