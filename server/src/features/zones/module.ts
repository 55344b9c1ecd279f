import type { FastifyInstance } from 'fastify';
import type { Enqueue } from '../../db/outbox.ts';
import type { FeatureContext } from '../../feature.ts';
import { allowedHosts } from '../../integrations/allowed-hosts.ts';
import { startZoneProbe } from '../../integrations/zone-probe.ts';
import { type EntriesToday, openZoneAdmin, openZoneKeys, openZoneTest } from './admin/module.ts';
import { zoneAdminRoutes } from './admin/routes.ts';
import { zoneRoutes } from './routes.ts';
import { type Zone, zoneStore } from './store.ts';
import { openZoneCache, statusAt } from './zone-cache.ts';

export async function openZones(
  context: Pick<FeatureContext, 'settings' | 'db' | 'log'> & { entriesToday: EntriesToday; enqueue: Enqueue },
) {
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
    /** Returns the zones that players see, and whether their game port answers. */
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
    /** Counts the zones that should be up but whose game port does not answer, among some zones or all. */
    down: (among: readonly number[] | null) =>
      cache.all().filter((zone) => isDown(zone) && (among === null || among.includes(zone.serverId))).length,
    routes(app: FastifyInstance) {
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

export type ZonesFeature = Awaited<ReturnType<typeof openZones>>;
