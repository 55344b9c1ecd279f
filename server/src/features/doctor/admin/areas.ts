/** What can be looked at by itself. */
export const AREAS = [
  'settings',
  'service',
  'public_url',
  'machine',
  'redis',
  'mail',
  'database',
  'zones',
  'withdrawals',
] as const;
export type Area = (typeof AREAS)[number];
