import { computed } from 'vue';
import { useLoading } from '../ui/use-loading.ts';
import { api } from './client.ts';
import { failureOf } from './failure.ts';
import { pageFacts } from './page-facts.ts';

const { data: config, busy, error, load } = useLoading(api.config, failureOf);
config.value = pageFacts?.config ?? null;
const site = computed(() => config.value?.site);
/** Name of the operator's site. */
const siteTitle = computed(() => site.value?.title ?? 'Gatehouse');

/** The operator's public settings, embedded in the page or fetched once. The next caller retries after a failure. */
export function useConfig() {
  if (!config.value && !busy.value) void load();
  return { config, busy, error, load, site, siteTitle };
}
