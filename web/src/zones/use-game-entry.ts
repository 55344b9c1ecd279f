import { onScopeDispose, shallowRef, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';
import { api } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { useConfig } from '../api/use-config.ts';
import { session } from '../auth/session.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { type Entry, redirectUrl } from './game-handover.ts';
import { recentZones } from './recent-zones.ts';

const hashOf = (serverId: number) => `#zone-${serverId}`;
/** The URL that enters this zone directly. */
export const zonePath = (serverId: number) => ({ path: '/', hash: hashOf(serverId) });
const zoneIn = (hash: string) => Number(/^#zone-(\d+)$/.exec(hash)?.[1]) || null;

/**
 * Enters a zone. The zone is in the URL's fragment while the game runs: the back button returns to the zone list, and a reload
 * (or a login after an expired session) returns to the game.
 */
export function useGameEntry(route: RouteLocationNormalizedLoaded, router: Router) {
  const { config, load: loadConfig } = useConfig();
  const entry = shallowRef<Entry | null>(null);
  let disposed = false;
  onScopeDispose(() => {
    disposed = true;
  });

  async function enterZone(serverId: number) {
    const entered = await api.enterGame({ server_id: serverId });
    if (!config.value) await loadConfig();
    // The player has left the page or logged out.
    if (disposed) return;
    // A different zone after a merge.
    const { server_id: zone } = entered.server;
    session.entered(zone);
    recentZones.add(zone);
    if (config.value?.client.handoff === 'redirect') {
      location.assign(redirectUrl(entered, location.href));
      return;
    }
    entry.value = entered;
    if (route.hash !== hashOf(zone)) await router.push(zonePath(zone));
  }

  const {
    busy,
    error,
    submit: enter,
  } = useSubmit(async (serverId: number) => {
    try {
      await enterZone(serverId);
    } catch (thrown) {
      if (!disposed && route.hash && session.signedIn.value) await router.replace('/');
      throw thrown;
    }
  }, failureOf);

  function leave() {
    if (zoneIn(route.hash) === null) entry.value = null;
    else void router.replace('/');
  }

  watch(
    () => route.hash,
    (hash) => {
      const zone = zoneIn(hash);
      if (zone === null) entry.value = null;
      else if (entry.value?.server.server_id !== zone) void enter(zone);
    },
    { immediate: true },
  );

  return { entry, busy, error, enter, leave };
}
