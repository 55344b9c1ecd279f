import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import { Refusal, refuseField } from '../../../refusal.ts';
import type { RoleRef, Withdrawal } from '../withdrawal.ts';

export interface OwnRole {
  readonly roleId: number;
  readonly name: string;
}

export interface WantedRole {
  readonly role: RoleRef;
  /** What the names of roles of the zone that was named begin with since it was merged. */
  readonly prefix: string | undefined;
}

/** Looks among the account's own roles alone: a role of another account is as good as none. */
export async function ownRole(
  driver: ZoneDriver,
  account: string | undefined,
  { role: ref, prefix }: WantedRole,
): Promise<OwnRole> {
  if (account === undefined) throw new Refusal('account_suspended');
  const roles = await driver.roles(account);
  const named = (name: string) => roles.filter((role) => role.name === name);
  const renamed = typeof ref === 'string' && prefix !== undefined ? named(prefix + ref) : [];
  // Under its old name alone it may be another one, which was on the new zone all along.
  const found = renamed.length > 0 ? renamed : exact();
  const [role] = found;
  // Of two roles with one name neither is meant for sure; their ids tell them apart.
  if (!role || found.length > 1) throw refuseField('role_not_found', 'role');
  return { roleId: role.roleId, name: role.name };

  function exact() {
    return typeof ref === 'string' ? named(ref) : roles.filter(({ roleId }) => roleId === ref);
  }
}

/** What a game has put before the names of roles that came from the zone that the request named. */
export function prefixOf(
  { originServerId }: Pick<Withdrawal, 'originServerId'>,
  rolePrefix: string | undefined,
): string | undefined {
  return originServerId === null ? undefined : rolePrefix?.replaceAll('{server_id}', String(originServerId));
}
