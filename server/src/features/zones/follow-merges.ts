import type { Zone } from './store.ts';

/**
 * Maps each zone to the one its players are in now: itself, or the zone its merges lead to. Merges into a cycle or a missing
 * zone, which only plain SQL can create, map to none.
 */
export function followMerges(zones: readonly Zone[]): ReadonlyMap<number, Zone> {
  const byId = new Map(zones.map((zone) => [zone.serverId, zone]));

  function endOf(zone: Zone): Zone | undefined {
    let end: Zone | undefined = zone;
    for (let steps = 0; end && end.mergedInto !== null; steps++) {
      if (steps === zones.length) return undefined;
      end = byId.get(end.mergedInto);
    }
    return end;
  }

  const ends = zones.map((zone) => [zone.serverId, endOf(zone)] as const);
  return new Map(ends.filter((entry): entry is [number, Zone] => entry[1] !== undefined));
}
