import type { ZoneStatus } from '../api/pending.ts';

export const zoneStatuses: readonly ZoneStatus[] = ['open', 'new', 'busy', 'full', 'maintenance', 'closed'];
