import { computed } from 'vue';
import { api } from '../api.ts';
import { useLoading } from './loading.ts';

const { value: config, failure, busy, load } = useLoading(api.config);
const gameName = computed(() => config.value?.game.name ?? 'Gatehouse');

/** The operator's public settings, fetched once for the whole page. */
export function useConfig() {
  if (!config.value && !failure.value) void load();
  return { config, failure, busy, load, gameName };
}
