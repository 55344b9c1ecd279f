import type { AdminZone } from '@gatehouse/contract/admin';

export const shows = ['attention', 'down', 'maintenance', 'scheduled', 'closed'] as const;
export type Show = (typeof shows)[number];

/** Reports whether a zone should be up but does not answer. */
export const isDown = (zone: AdminZone) =>
  zone.online === false &&
  zone.status !== 'closed' &&
  zone.status !== 'maintenance' &&
  zone.merged_into === null;

export const isScheduled = (zone: AdminZone, now = Date.now()) =>
  zone.opened_at !== null && Date.parse(zone.opened_at) > now;

/** Returns since when withdrawals fail at the GM interface of a zone that players can use. */
export const gmFailingSince = ({ gm_failing_since, status, merged_into }: AdminZone) =>
  status !== 'closed' && merged_into === null ? (gm_failing_since ?? null) : null;

export const needsAction = (zone: AdminZone) =>
  isDown(zone) || zone.withdrawals_unknown > 0 || gmFailingSince(zone) !== null;

const tests: Readonly<Record<Show, (zone: AdminZone) => boolean>> = {
  attention: needsAction,
  down: isDown,
  maintenance: ({ status }) => status === 'maintenance',
  scheduled: (zone) => isScheduled(zone),
  closed: ({ status, merged_into }) => status === 'closed' || merged_into !== null,
};

/** Returns the matching zones, those that need attention first, then by number. */
export function wallOf(zones: readonly AdminZone[], { show, q }: { show: string; q: string }): AdminZone[] {
  const test = shows.includes(show as Show) ? tests[show as Show] : () => true;
  const text = q.trim().toLowerCase();
  return zones
    .filter(
      (zone) => test(zone) && (text === '' || `${zone.server_id} ${zone.name}`.toLowerCase().includes(text)),
    )
    .sort((a, b) => Number(needsAction(b)) - Number(needsAction(a)) || a.server_id - b.server_id);
}
