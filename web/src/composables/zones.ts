import { api } from '../api.ts';
import { useLoading } from './loading.ts';
import { useRefresh } from './refresh.ts';

const REFRESH_SECONDS = 60;

const { value: zones, failure, busy, load } = useLoading(async () => (await api.zones()).servers);

/** The game zones. Fresh while somebody looks; an unchanged list costs a 304. */
export function useZones() {
  void load();
  useRefresh(load, () => REFRESH_SECONDS);
  return { zones, failure, busy, load };
}
