import type { AdminZone } from '@gatehouse/contract/admin';

export type ZoneStatus = AdminZone['status'];

export const zoneStatuses: readonly ZoneStatus[] = ['open', 'new', 'busy', 'full', 'maintenance', 'closed'];
