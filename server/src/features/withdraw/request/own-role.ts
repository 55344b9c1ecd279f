import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import { Refusal, refuseField } from '../../../refusal.ts';
import type { RoleRef } from '../withdrawal.ts';

export interface OwnRole {
  readonly roleId: number;
  readonly name: string;
}

/** Looks among the account's own roles alone: a role of another account is as good as none. */
export async function ownRole(
  driver: ZoneDriver,
  account: string | undefined,
  ref: RoleRef,
): Promise<OwnRole> {
  if (account === undefined) throw new Refusal('account_suspended');
  const roles = await driver.roles(account);
  const found = roles.filter(({ roleId, name }) => (typeof ref === 'number' ? roleId : name) === ref);
  const [role] = found;
  // Of two roles with one name neither is meant for sure; their ids tell them apart.
  if (!role || found.length > 1) throw refuseField('role_not_found', 'role');
  return { roleId: role.roleId, name: role.name };
}
