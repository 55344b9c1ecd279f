import { useLoading } from '@gatehouse/web/ui/use-loading';
import { usePolling } from '@gatehouse/web/ui/use-polling';
import { type ShallowRef, shallowRef, watch } from 'vue';
import { failureOf } from '../api/failure.ts';

const REFRESH_SECONDS = 10;

/** Loads data and, if live, reloads it every ten seconds while the page is visible. */
export function useResource<T>(fetch: () => Promise<T>, { live = false } = {}) {
  const asOf: ShallowRef<Date | null> = shallowRef(null);
  const loading = useLoading(fetch, failureOf);
  watch(loading.data, (data) => {
    asOf.value = data === null ? null : new Date();
  });
  if (live) useRefresh(loading.load);

  /** For changed filters: clears the data, which no longer matches. */
  async function restart() {
    loading.data.value = null;
    loading.error.value = null;
    await loading.load();
  }

  return { ...loading, asOf, restart };
}

/** Repeats an action every ten seconds while the page is visible. */
export function useRefresh(action: () => Promise<void>) {
  usePolling(action, () => REFRESH_SECONDS);
}
