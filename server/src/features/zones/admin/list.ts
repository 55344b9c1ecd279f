import type { ZoneAdminStore, ZoneState } from './store.ts';

/** How many players entered each zone today. */
export type EntriesToday = () => Promise<ReadonlyMap<number, number>>;

export interface ListParts {
  readonly zones: ZoneAdminStore;
  readonly entriesToday: EntriesToday;
  /** Whether the game port answered the last probe; undefined where it is not probed. */
  readonly isOnline: (serverId: number) => boolean | undefined;
}

/** A zone as operators see it. */
export interface ZoneOverview extends ZoneState {
  readonly online: boolean | null;
  readonly entriesToday: number;
  readonly withdrawalsUnknown: number;
}

/** Adds to zones what is going on there. */
export function describeZones({ zones, entriesToday, isOnline }: ListParts) {
  return async (states: readonly ZoneState[]): Promise<ZoneOverview[]> => {
    const [entries, unknown] = await Promise.all([entriesToday(), zones.unknownWithdrawals()]);
    return states.map((zone) => ({
      ...zone,
      online: isOnline(zone.server_id) ?? null,
      entriesToday: entries.get(zone.server_id) ?? 0,
      withdrawalsUnknown: unknown.get(zone.server_id) ?? 0,
    }));
  };
}
