export const permissions = [
  'read',
  'personal',
  'players.write',
  'chat.read',
  'withdrawals.settle',
  'zones.write',
  'promoters.write',
  'controls.write',
  'site.write',
  'audit.read',
  'system.read',
  'operators.write',
  'webhooks.write',
] as const;

export type Permission = (typeof permissions)[number];

export const operatorRoles = ['viewer', 'support', 'finance', 'manager', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

const support = ['read', 'personal', 'players.write', 'chat.read'] as const;
const manager = [
  ...support,
  'zones.write',
  'promoters.write',
  'controls.write',
  'site.write',
  'audit.read',
  'system.read',
] as const;

const byRole: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  viewer: ['read'],
  support,
  finance: ['read', 'withdrawals.settle'],
  manager,
  admin: permissions,
};

/** Permissions that concern the whole platform. Operators limited to some zones never have them. */
const platformWide: readonly Permission[] = [
  'promoters.write',
  'controls.write',
  'site.write',
  'system.read',
  'operators.write',
  'webhooks.write',
];

/** Returns an operator's permissions; `zones` is null for all zones. */
export function permissionsOf(role: OperatorRole, zones: readonly number[] | null): readonly Permission[] {
  return byRole[role].filter((each) => zones === null || !platformWide.includes(each));
}
