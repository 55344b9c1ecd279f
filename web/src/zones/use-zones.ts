import { api } from '../api/client.ts';
import { useLoading } from '../ui/use-loading.ts';
import { useRefresh } from '../ui/use-polling.ts';

const REFRESH_SECONDS = 60;

const { value: zones, failure, busy, load } = useLoading(async () => (await api.zones()).servers);

/** The game zones. Fresh while somebody looks; an unchanged list costs a 304. */
export function useZones() {
  void load();
  useRefresh(load, () => REFRESH_SECONDS);
  return { zones, failure, busy, load };
}
