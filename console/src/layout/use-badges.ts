import { usePolling } from '@gatehouse/web/ui/use-polling';
import { computed } from 'vue';
import { call } from '../api/client.ts';
import { useResource } from '../blocks/use-resource.ts';

const SECONDS = 30;

/** Counts shown next to navigation entries: things that need attention. */
export function useBadges() {
  const { data, load } = useResource(() => call('dashboard', { query: { days: 1 } }));
  void load();
  usePolling(load, () => SECONDS);
  const badges = computed<Readonly<Record<string, number>>>(() => ({
    '/withdrawals': data.value?.now.withdrawals_unknown ?? 0,
    '/zones': data.value?.now.zones_down ?? 0,
  }));
  return { badges };
}
