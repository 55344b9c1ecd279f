import { type OperatorRole, type OperatorSession, permissionsOf } from '@gatehouse/contract/admin';

/** An operator or a script's key, with what decides their permissions. */
export interface OperatorAccess {
  readonly name: string;
  readonly role: OperatorRole;
  /** Null for all zones. */
  readonly zones: readonly number[] | null;
}

export interface Operator extends OperatorAccess {
  readonly id: number;
  readonly totp: boolean;
}

/** Returns what operators see of their own session. */
export function sessionOf({ name, role, zones, totp }: Omit<Operator, 'id'>): OperatorSession {
  return { name, role, zones: zones && [...zones], permissions: [...permissionsOf(role, zones)], totp };
}
