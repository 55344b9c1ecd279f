import type { Enqueue } from '../../db/outbox.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { allowedHosts } from '../../integrations/allowed-hosts.ts';
import { startZoneProbe } from '../../integrations/zone-probe.ts';
import { type EntriesToday, openZoneAdmin, openZoneKeys, openZoneTest } from './admin/module.ts';
import { zoneAdminRoutes } from './admin/routes.ts';
import { zoneRoutes } from './routes.ts';
import { type Zone, zoneStore } from './store.ts';
import { openZoneCache, statusAt, type ZoneCache } from './zone-cache.ts';

export interface ZonesFeature extends Feature {
  readonly cache: ZoneCache;
  /** Returns the zones' own keys. */
  readonly keys: () => Promise<{ readonly serverId: number; readonly key: string }[]>;
  /** Returns the zones that players see, and whether their game port answers. */
  watched(): { serverId: number; name: string; isDown: boolean; answers: boolean }[];
  /** Counts the zones that should be up but whose game port does not answer, among some zones or all. */
  down(among: readonly number[] | null): number;
}

export async function openZones(
  context: Pick<FeatureContext, 'settings' | 'db' | 'log'> & { entriesToday: EntriesToday; enqueue: Enqueue },
): Promise<ZonesFeature> {
  const { settings, db, log, entriesToday, enqueue } = context;
  const { probe_interval: interval, allowed_hosts } = settings.current.zones;
  const probe = startZoneProbe({ interval, hosts: allowedHosts(allowed_hosts) });
  const cache = await openZoneCache({ store: zoneStore(db), probe: probe.last, log });
  probe.watch(cache.all);
  const isDown = (zone: Zone) =>
    zone.mergedInto === null &&
    !['closed', 'maintenance'].includes(statusAt(zone, cache.now())) &&
    probe.last(zone) === false;
  return {
    cache,
    keys: openZoneKeys({ db, auth: settings.current.auth }).secrets,
    watched: () =>
      cache
        .all()
        .filter(({ mergedInto }) => mergedInto === null)
        .map((zone) => ({
          serverId: zone.serverId,
          name: zone.name,
          isDown: isDown(zone),
          answers: probe.last(zone) === true,
        })),
    down: (among) =>
      cache.all().filter((zone) => isDown(zone) && (among === null || among.includes(zone.serverId))).length,
    routes(app) {
      zoneRoutes(app, cache);
      zoneAdminRoutes(app, {
        zones: openZoneAdmin({ db, entriesToday, enqueue, isOnline: (serverId) => probe.last({ serverId }) }),
        test: openZoneTest({ db, settings: settings.current }),
        refresh: cache.refresh,
      });
    },
    async close() {
      await cache.close();
      await probe.close();
    },
  };
}
