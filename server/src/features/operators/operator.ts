import { type OperatorRole, type OperatorSession, permissionsOf } from '@gatehouse/contract/admin';

/** An operator or a script's key, as far as it decides what they may do. */
export interface OperatorAccess {
  readonly name: string;
  readonly role: OperatorRole;
  /** Null for all. */
  readonly zones: readonly number[] | null;
}

export interface Operator extends OperatorAccess {
  readonly id: number;
  readonly totp: boolean;
}

/** What an operator is told about themselves. */
export function sessionOf({ name, role, zones, totp }: Omit<Operator, 'id'>): OperatorSession {
  return { name, role, zones: zones && [...zones], permissions: [...permissionsOf(role, zones)], totp };
}
