import type { ZoneAdminStore, ZoneState } from './store.ts';

/** Returns how many players entered each zone today. */
export type EntriesToday = () => Promise<ReadonlyMap<number, number>>;

export interface ListParts {
  readonly zones: ZoneAdminStore;
  readonly entriesToday: EntriesToday;
  /** Reports whether the game port answered the last probe. Undefined if it is not probed. */
  readonly isOnline: (serverId: number) => boolean | undefined;
}

/** A zone, as shown to operators. */
export interface ZoneOverview extends ZoneState {
  readonly online: boolean | null;
  readonly entriesToday: number;
  readonly withdrawalsUnknown: number;
}

/** Adds the current activity to zones. */
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
