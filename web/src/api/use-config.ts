import { computed } from 'vue';
import { useLoading } from '../ui/use-loading.ts';
import { api } from './client.ts';
import { failureOf } from './failure.ts';

const { data: config, busy, error, load } = useLoading(api.config, failureOf);
const gameName = computed(() => config.value?.game.name ?? 'Gatehouse');

/** The operator's public settings, fetched once for the whole page; a failed try is repeated by the next caller. */
export function useConfig() {
  if (!config.value && !busy.value) void load();
  return { config, busy, error, load, gameName };
}
