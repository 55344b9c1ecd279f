import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import { Refusal, refuseField } from '../../../refusal.ts';
import type { RoleRef, Withdrawal } from '../withdrawal.ts';

export interface OwnRole {
  readonly roleId: number;
  readonly name: string;
}

export interface WantedRole {
  readonly role: RoleRef;
  /** The prefix that a merge put before the role names of the requested zone. */
  readonly prefix: string | undefined;
}

/** Searches only the account's own roles. A role of another account is refused like one that does not exist. */
export async function ownRole(
  driver: ZoneDriver,
  account: string | undefined,
  { role: ref, prefix }: WantedRole,
): Promise<OwnRole> {
  if (account === undefined) throw new Refusal('account_suspended');
  const roles = await driver.roles(account);
  const named = (name: string) => roles.filter((role) => role.name === name);
  const renamed = typeof ref === 'string' && prefix !== undefined ? named(prefix + ref) : [];
  // Try the prefixed name first: after a merge, the plain name can belong to a role of the new zone.
  const found = renamed.length > 0 ? renamed : exact();
  const [role] = found;
  // A name that two roles share is ambiguous; the player must use the role id.
  if (!role || found.length > 1) throw refuseField('role_not_found', 'role');
  return { roleId: role.roleId, name: role.name };

  function exact() {
    return typeof ref === 'string' ? named(ref) : roles.filter(({ roleId }) => roleId === ref);
  }
}

/** Returns the prefix that the game puts before the names of roles from the requested zone. */
export function prefixOf(
  { originServerId }: Pick<Withdrawal, 'originServerId'>,
  rolePrefix: string | undefined,
): string | undefined {
  return originServerId === null ? undefined : rolePrefix?.replaceAll('{server_id}', String(originServerId));
}
