/** Areas that can be examined separately. */
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
  'webhooks',
] as const;
export type Area = (typeof AREAS)[number];
