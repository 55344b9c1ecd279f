import type { ListedZone, ZoneStatus } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Log } from '../../logging/log.ts';
import { Refusal, type RefusalDetails, refuseField } from '../../refusal.ts';
import { startJob } from '../../runtime/job.ts';
import { sharedClock, timeText, timeTextOrNull } from '../../runtime/time.ts';
import { canonicalAddress } from '../../security/addresses.ts';
import type { Zone, ZoneStore } from './store.ts';

const REFRESH_MS = 1000;

/** The zones in memory, refreshed from the database every second and kept while it is unavailable. */
export interface ZoneCache {
  /** Returns a zone visible to players, or the one it was merged into. Closed zones are not found. */
  find(serverId: number): Zone | undefined;
  /** Returns the id of the zone it was merged into, or its own if it was not merged or is unknown. */
  currentId(serverId: number): number;
  /** Returns the zone's own id and those of the zones merged into it. */
  idsOf(zone: Zone): readonly number[];
  all(): readonly Zone[];
  /** Returns the time by the database clock, as far as known. */
  now(): number;
  /** Returns the zone and all zones merged with it, including the target. */
  mergedWith(serverId: number): readonly number[];
  /** Returns the zones at each IP address, including those merged with them. Zones with a host name are left out. */
  addresses(): ReadonlyMap<string, ReadonlySet<number>>;
  list(): CachedBody;
  /** Reports whether the last refresh failed, so that the zones may be out of date. */
  stale(): boolean;
  /** Reads the zones now instead of at the next poll. A failure is logged and does not reject. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface ZoneCacheDeps {
  readonly store: ZoneStore;
  /** Reports whether a zone's game port answered the last probe. Undefined if it is not probed. */
  readonly probe?: (zone: Zone) => boolean | undefined;
  readonly log: Pick<Log, 'warn'>;
}

export async function openZoneCache({
  store,
  probe = () => undefined,
  log,
}: ZoneCacheDeps): Promise<ZoneCache> {
  const clock = sharedClock();
  let zones: readonly Zone[] = [];
  let current: ReadonlyMap<number, Zone> = new Map();
  /** Maps a zone that players enter to its own id and those merged into it. */
  let groups: ReadonlyMap<number, readonly number[]> = new Map();
  let addresses: ReadonlyMap<string, ReadonlySet<number>> = new Map();
  let list = cachedBody('');
  let text = '';
  let stale = false;
  let reads = 0;
  let lastRead = 0;

  async function read(): Promise<void> {
    const begun = ++reads;
    const { zones: all, now } = await store.snapshot();
    // A slow read that began before another must not overwrite its result.
    if (begun < lastRead) return;
    lastRead = begun;
    if (now !== undefined) clock.set(now);
    zones = all;
    current = followMerges(all);
    groups = new Map(
      [...Map.groupBy(current, ([, end]) => end.serverId)].map(([end, merged]) => [
        end,
        merged.map(([id]) => id),
      ]),
    );
    addresses = byAddress(all);
  }

  function mergedWith(serverId: number): readonly number[] {
    return groups.get(current.get(serverId)?.serverId ?? serverId) ?? [serverId];
  }

  function byAddress(all: readonly Zone[]): Map<string, Set<number>> {
    const found = new Map<string, Set<number>>();
    for (const { address, serverId } of all) {
      const canonical = canonicalAddress(address);
      if (canonical === undefined) continue;
      const ids = found.get(canonical) ?? new Set();
      for (const id of mergedWith(serverId)) ids.add(id);
      found.set(canonical, ids);
    }
    return found;
  }

  function render(): void {
    const now = clock.now();
    const servers = zones
      .filter(({ status, mergedInto }) => status !== 'closed' && mergedInto === null)
      .map((zone) => listed({ ...zone, status: statusAt(zone, now) }, probe(zone)));
    const next = JSON.stringify({ servers });
    if (next !== text) {
      text = next;
      list = cachedBody(text);
    }
  }

  async function poll(): Promise<void> {
    try {
      await read();
      if (zones.some((zone) => maintenanceIsOver(zone, clock.now()))) await store.endMaintenance();
      stale = false;
    } catch (error) {
      if (!stale) log.warn({ err: error }, 'the zones could not be refreshed; the last known ones are shown');
      stale = true;
    }
    // Render even while the database is unavailable, so that scheduled changes take effect in time.
    render();
  }

  await read();
  render();
  const polling = startJob({ intervalMs: REFRESH_MS, work: poll });
  return {
    find(serverId) {
      const zone = current.get(serverId);
      return zone?.status === 'closed' ? undefined : zone;
    },
    currentId: (serverId) => current.get(serverId)?.serverId ?? serverId,
    idsOf: ({ serverId }) => groups.get(serverId) ?? [],
    mergedWith,
    all: () => zones,
    now: clock.now,
    addresses: () => addresses,
    list: () => list,
    stale: () => stale,
    refresh: poll,
    close: polling.close,
  };
}

function listed(zone: Zone, up: boolean | undefined): ListedZone {
  return {
    server_id: zone.serverId,
    name: zone.name,
    address: zone.address,
    port: zone.port,
    status: zone.status,
    opened_at: timeTextOrNull(zone.openedAt),
    ...(zone.status === 'maintenance' && maintenanceOf(zone)),
    ...(up !== undefined && { up }),
  };
}

function maintenanceOf({ message, maintenanceUntil }: Zone): Partial<ListedZone> {
  return {
    ...(message && { message }),
    ...(maintenanceUntil !== null && { maintenance_until: timeText(maintenanceUntil) }),
  };
}

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
