import type { ListedZone, ZoneStatus } from '@gatehouse/contract/player';

/** How a zone is now: as the operator says, unless it opens later or a probe found it silent. */
export type ZoneState = ZoneStatus | 'upcoming' | 'unreached';

export const canEnter = (zone: ListedZone, now = Date.now()) =>
  zone.status !== 'maintenance' && zone.status !== 'closed' && !notYetOpen(zone, now);

export const notYetOpen = ({ opened_at }: ListedZone, now = Date.now()) =>
  opened_at !== null && Date.parse(opened_at) > now;

export function stateOf(zone: ListedZone, now = Date.now()): ZoneState {
  if (notYetOpen(zone, now)) return 'upcoming';
  // What a probe saw weighs more than what was announced.
  return zone.up === false && canEnter(zone, now) ? 'unreached' : zone.status;
}

/** When players can enter by themselves again: the opening, or the end of a maintenance. */
export function reopensAt(zone: ListedZone, now = Date.now()): string | undefined {
  if (zone.opened_at !== null && notYetOpen(zone, now)) return zone.opened_at;
  return zone.status === 'maintenance' ? zone.maintenance_until : undefined;
}

/** Seconds as a clock shows them, `1:02:03`. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [hours, ...[minutes, rest].map((part) => String(part).padStart(2, '0'))].join(':');
}

// A newcomer is best off where others start too; a full zone is the last thing to offer.
const worth: Readonly<Record<ZoneStatus, number>> = {
  new: 0,
  open: 1,
  busy: 2,
  full: 3,
  maintenance: 4,
  closed: 5,
};

/** What can be entered, the best for a newcomer first: by status, the newest of each. */
export function byWorth(zones: readonly ListedZone[]): ListedZone[] {
  return zones
    .filter((zone) => canEnter(zone) && zone.up !== false)
    .toSorted((a, b) => worth[a.status] - worth[b.status] || opened(b) - opened(a));
}

/** The zone to suggest to somebody who has none. */
export const recommended = (zones: readonly ListedZone[]): ListedZone | undefined => byWorth(zones)[0];

/** The last-used zone first, then the recommended one, then the order the service gave. */
export function sortZones(zones: readonly ListedZone[], lastUsed: number | null): ListedZone[] {
  const suggestion = recommended(zones)?.server_id;
  const rank = ({ server_id }: ListedZone) => (server_id === lastUsed ? 0 : server_id === suggestion ? 1 : 2);
  return zones.toSorted((a, b) => rank(a) - rank(b));
}

/** Zones whose name or number contains what was typed. */
export function searchZones(zones: readonly ListedZone[], typed: string): ListedZone[] {
  const wanted = typed.trim().toLowerCase();
  return zones.filter(
    ({ name, server_id }) => name.toLowerCase().includes(wanted) || String(server_id).includes(wanted),
  );
}

const opened = ({ opened_at }: ListedZone) => (opened_at === null ? 0 : Date.parse(opened_at));
