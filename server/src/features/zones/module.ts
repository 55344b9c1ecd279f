import type { Feature, FeatureContext } from '../../feature.ts';
import { startZoneProbe } from '../../integrations/zone-probe.ts';
import { zoneRoutes } from './routes.ts';
import { zoneStore } from './store.ts';
import { openZoneCache, type ZoneCache } from './zone-cache.ts';

export interface ZonesFeature extends Feature {
  readonly cache: ZoneCache;
}

type ZonesContext = Pick<FeatureContext, 'settings' | 'db' | 'log'>;

export async function openZones({ settings, db, log }: ZonesContext): Promise<ZonesFeature> {
  const probe = startZoneProbe({ interval: settings.current.zones.probe_interval });
  const cache = await openZoneCache({ store: zoneStore(db), probe: probe.last, log });
  probe.watch(cache.all);
  return {
    cache,
    routes: (app) => zoneRoutes(app, cache),
    async close() {
      await cache.close();
      await probe.close();
    },
  };
}
