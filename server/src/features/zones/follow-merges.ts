import type { Zone } from './store.ts';

/**
 * Where each zone's players are now: the zone itself, or the one that its merges lead to. A zone whose merges lead in a circle,
 * or to a zone that is gone, as only plain SQL can make them, has none.
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
