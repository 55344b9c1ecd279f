import { api } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { useLoading } from '../ui/use-loading.ts';
import { usePolling } from '../ui/use-polling.ts';

const REFRESH_SECONDS = 60;

const {
  data: zones,
  busy,
  error,
  load,
} = useLoading(async () => (await api.serverList()).servers, failureOf);

/** The game zones, one list for the whole page. Polled while visible; an unchanged list costs a 304. */
export function useZones() {
  if (!busy.value) void load();
  usePolling(load, () => REFRESH_SECONDS);
  return { zones, busy, error, load };
}
