import type { Feature, FeatureContext } from '../../feature.ts';
import { startZoneProbe } from '../../integrations/zone-probe.ts';
import { type EntriesToday, openZoneAdmin, openZoneTest } from './admin/module.ts';
import { zoneAdminRoutes } from './admin/routes.ts';
import { zoneRoutes } from './routes.ts';
import { zoneStore } from './store.ts';
import { openZoneCache, type ZoneCache } from './zone-cache.ts';

export interface ZonesFeature extends Feature {
  readonly cache: ZoneCache;
}

interface ZonesContext extends Pick<FeatureContext, 'settings' | 'db' | 'log'> {
  readonly entriesToday?: EntriesToday;
}

export async function openZones({ settings, db, log, entriesToday }: ZonesContext): Promise<ZonesFeature> {
  const probe = startZoneProbe({ interval: settings.current.zones.probe_interval });
  const cache = await openZoneCache({ store: zoneStore(db), probe: probe.last, log });
  probe.watch(cache.all);
  return {
    cache,
    routes(app) {
      zoneRoutes(app, cache);
      zoneAdminRoutes(app, {
        zones: openZoneAdmin({
          db,
          ...(entriesToday && { entriesToday }),
          isOnline: (serverId) => probe.last({ serverId })?.up,
        }),
        test: openZoneTest({ db, settings: settings.current }),
      });
    },
    async close() {
      await cache.close();
      await probe.close();
    },
  };
}
