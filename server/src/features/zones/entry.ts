import { Refusal, refuseField } from '../../refusal.ts';
import type { Zone } from './store.ts';

/** Passes on a zone that players may enter now; says why not otherwise. */
export function requireOpen(zone: Zone | undefined): Zone {
  if (!zone) throw refuseField('server_not_found', 'server_id');
  if (zone.openedAt !== null && zone.openedAt > Date.now()) {
    const until = new Date(zone.openedAt).toISOString();
    const retryAfter = Math.ceil((zone.openedAt - Date.now()) / 1000);
    throw new Refusal('server_closed', { variant: 'opens', params: { until }, extra: { until }, retryAfter });
  }
  if (zone.status === 'maintenance') {
    const { message } = zone;
    throw new Refusal(
      'server_closed',
      message ? { variant: 'message', params: { message } } : { variant: 'maintenance' },
    );
  }
  return zone;
}
