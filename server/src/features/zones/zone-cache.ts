import type { ListedZone } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Probe } from '../../integrations/zone-probe.ts';
import type { Log } from '../../logging/log.ts';
import { pollLoop } from '../../runtime/poll-loop.ts';
import { canonicalAddress } from '../../security/addresses.ts';
import type { Zone, ZoneStore } from './store.ts';

const REFRESH_MS = 1000;

/** The zones in memory: refreshed from the database every second, kept while the database is away. */
export interface ZoneCache {
  /** A zone that players may know of; a closed one is as good as none. */
  find(serverId: number): Zone | undefined;
  all(): readonly Zone[];
  /** Where the zones' game servers are, as far as they are given as addresses and not as names. */
  addresses(): ReadonlySet<string>;
  list(): CachedBody;
  /** Whether the last refresh failed, so that the zones may be out of date. */
  stale(): boolean;
  close(): Promise<void>;
}

interface ZoneCacheParts {
  readonly store: ZoneStore;
  /** The last answer of a zone's game port, where it is probed. */
  readonly probe?: (zone: Zone) => Probe | undefined;
  readonly log: Pick<Log, 'warn'>;
}

export async function openZoneCache({
  store,
  probe = () => undefined,
  log,
}: ZoneCacheParts): Promise<ZoneCache> {
  let zones: ReadonlyMap<number, Zone> = new Map();
  let addresses: ReadonlySet<string> = new Set();
  let list = cachedBody('');
  let text = '';
  let stale = false;

  async function refresh(): Promise<void> {
    const all = await store.all();
    zones = new Map(all.map((zone) => [zone.serverId, zone]));
    addresses = new Set(
      all.map((zone) => canonicalAddress(zone.address)).filter((each) => each !== undefined),
    );
    const servers = all.filter((zone) => zone.status !== 'closed').map((zone) => listed(zone, probe(zone)));
    const next = JSON.stringify({ servers });
    if (next !== text) {
      text = next;
      list = cachedBody(text);
    }
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      stale = false;
    } catch (error) {
      if (!stale) log.warn({ err: error }, 'the zones could not be refreshed; the last known ones are shown');
      stale = true;
    }
  }

  await refresh();
  const polling = pollLoop(REFRESH_MS, poll);
  return {
    find(serverId) {
      const zone = zones.get(serverId);
      return zone?.status === 'closed' ? undefined : zone;
    },
    all: () => [...zones.values()],
    addresses: () => addresses,
    list: () => list,
    stale: () => stale,
    close: polling.close,
  };
}

function listed(zone: Zone, probed: Probe | undefined): ListedZone {
  return {
    server_id: zone.serverId,
    name: zone.name,
    address: zone.address,
    port: zone.port,
    status: zone.status,
    opened_at: zone.openedAt === null ? null : new Date(zone.openedAt).toISOString(),
    ...(zone.message && zone.status === 'maintenance' && { message: zone.message }),
    ...(probed && { up: probed.up, latency_ms: probed.latencyMs }),
  };
}
