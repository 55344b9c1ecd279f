import { ref, shallowRef, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';
import { api } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { useConfig } from '../api/use-config.ts';
import { session } from '../auth/session.ts';
import { type Entry, redirectUrl } from './game-handover.ts';

const mark = (serverId: number) => `#zone-${serverId}`;
const zoneIn = (hash: string) => Number(/^#zone-(\d+)$/.exec(hash)?.[1]) || null;

/**
 * Entering a zone. The zone stands in the page's fragment while the game runs: the back button leaves the
 * game for the hall, and a reload (or a login after an expired session) comes back into it.
 */
export function useEntry(route: RouteLocationNormalizedLoaded, router: Router) {
  const { config, load: loadConfig } = useConfig();
  const entry = shallowRef<Entry | null>(null);
  const entering = ref(false);
  const refused = ref<Failure | null>(null);

  async function enter(serverId: number) {
    if (entering.value) return;
    entering.value = true;
    refused.value = null;
    try {
      const entered = await api.enterGame(serverId);
      session.enteredZone(serverId);
      if (!config.value) await loadConfig();
      if (config.value?.client.handoff === 'redirect') {
        location.assign(redirectUrl(entered, location.href));
        return;
      }
      entry.value = entered;
      if (route.hash !== mark(serverId)) await router.push({ path: '/', hash: mark(serverId) });
    } catch (error) {
      refused.value = failureOf(error);
      if (route.hash && session.signedIn.value) await router.replace('/');
    } finally {
      entering.value = false;
    }
  }

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

  return { entry, entering, refused, enter, leave };
}
