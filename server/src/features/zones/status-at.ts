import type { ZoneStatus } from '@gatehouse/contract';
import type { Zone } from './store.ts';

/** Returns a zone's status at a time. Scheduled changes take effect without a change of the row. */
export function statusAt(
  { status, openedAt, maintenanceUntil }: Pick<Zone, 'status' | 'openedAt' | 'maintenanceUntil'>,
  now: number,
): ZoneStatus {
  if (status === 'closed') return status;
  if (openedAt !== null && openedAt > now) return 'new';
  return maintenanceIsOver({ status, maintenanceUntil }, now) ? 'open' : status;
}

export function maintenanceIsOver(
  { status, maintenanceUntil }: Pick<Zone, 'status' | 'maintenanceUntil'>,
  now: number,
): boolean {
  return status === 'maintenance' && maintenanceUntil !== null && maintenanceUntil <= now;
}
