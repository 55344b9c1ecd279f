import type { ListedZone, ZoneStatus } from '@gatehouse/contract/player';

/** The current state: the operator's status, unless the zone opens later or a probe got no answer. */
export type ZoneState = ZoneStatus | 'upcoming' | 'unreached';

export const canEnter = (zone: ListedZone, now = Date.now()) =>
  zone.status !== 'maintenance' && zone.status !== 'closed' && !notYetOpen(zone, now);

export const notYetOpen = ({ opened_at }: ListedZone, now = Date.now()) =>
  opened_at !== null && Date.parse(opened_at) > now;

export function stateOf(zone: ListedZone, now = Date.now()): ZoneState {
  if (notYetOpen(zone, now)) return 'upcoming';
  // A probe's result overrides the announced status.
  return zone.up === false && canEnter(zone, now) ? 'unreached' : zone.status;
}

/** Returns when players can enter again without an operator: the opening, or the end of a maintenance. */
export function reopensAt(zone: ListedZone, now = Date.now()): string | undefined {
  if (zone.opened_at !== null && notYetOpen(zone, now)) return zone.opened_at;
  return zone.status === 'maintenance' ? zone.maintenance_until : undefined;
}

/** Formats seconds as `1:02:03`. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [hours, ...[minutes, rest].map((part) => String(part).padStart(2, '0'))].join(':');
}

// Newcomers should start where others do; a full zone is offered last.
const worth: Readonly<Record<ZoneStatus, number>> = {
  new: 0,
  open: 1,
  busy: 2,
  full: 3,
  maintenance: 4,
  closed: 5,
};

/** Returns the zones that can be entered, best for a newcomer first: by status, then newest. */
export function byWorth(zones: readonly ListedZone[]): ListedZone[] {
  return zones
    .filter((zone) => canEnter(zone) && zone.up !== false)
    .toSorted((a, b) => worth[a.status] - worth[b.status] || opened(b) - opened(a));
}

/** Returns the zone to suggest to a new player. */
export const recommended = (zones: readonly ListedZone[]): ListedZone | undefined => byWorth(zones)[0];

/** Sorts the last-used zone first, then the recommended one, then in the service's order. */
export function sortZones(zones: readonly ListedZone[], lastUsed: number | null): ListedZone[] {
  const suggestion = recommended(zones)?.server_id;
  const rank = ({ server_id }: ListedZone) => (server_id === lastUsed ? 0 : server_id === suggestion ? 1 : 2);
  return zones.toSorted((a, b) => rank(a) - rank(b));
}

export function searchZones(zones: readonly ListedZone[], typed: string): ListedZone[] {
  const wanted = typed.trim().toLowerCase();
  return zones.filter(
    ({ name, server_id }) => name.toLowerCase().includes(wanted) || String(server_id).includes(wanted),
  );
}

const opened = ({ opened_at }: ListedZone) => (opened_at === null ? 0 : Date.parse(opened_at));
