import { Refusal, type RefusalDetails, refuseField } from '../../refusal.ts';
import { timeText } from '../../runtime/time.ts';
import type { Zone } from './store.ts';
import { statusAt, type ZoneCache } from './zone-cache.ts';

/** Returns the zone to enter, which is another one after a merge. Otherwise refuses with the reason. */
export function requireOpen(zones: Pick<ZoneCache, 'find' | 'now'>, serverId: number): Zone {
  const zone = zones.find(serverId);
  if (!zone) throw refuseField('server_not_found', 'server_id');
  const now = zones.now();
  const { openedAt, maintenanceUntil, message } = zone;
  if (openedAt !== null && openedAt > now) throw closed({ variant: 'opens' }, openedAt, now);
  if (statusAt(zone, now) === 'maintenance') {
    if (message) throw closed({ variant: 'message', params: { message } }, maintenanceUntil, now);
    const variant = maintenanceUntil === null ? 'maintenance' : 'maintenance_until';
    throw closed({ variant }, maintenanceUntil, now);
  }
  return zone;
}

function closed(details: RefusalDetails, until: number | null, now: number): Refusal {
  if (until === null) return new Refusal('server_closed', details);
  const time = timeText(until);
  return new Refusal('server_closed', {
    ...details,
    params: { ...details.params, until: time },
    extra: { until: time },
    retryAfter: Math.ceil((until - now) / 1000),
  });
}

/** Returns the fields of an answer that show that the requested zone was merged into another. */
export function originOf(zone: Pick<Zone, 'serverId'>, named: number) {
  return zone.serverId === named ? {} : { server_id: zone.serverId, origin_server_id: named };
}
