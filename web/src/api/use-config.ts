import { computed } from 'vue';
import { useLoading } from '../ui/use-loading.ts';
import { api } from './client.ts';

const { value: config, failure, busy, load } = useLoading(api.config);
const gameName = computed(() => config.value?.game.name ?? 'Gatehouse');

/** The operator's public settings, fetched once for the whole page; a failed try is repeated by the next who asks. */
export function useConfig() {
  if (!config.value) void load();
  return { config, failure, busy, load, gameName };
}
