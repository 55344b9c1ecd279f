import { computed, shallowRef } from 'vue';
import { call } from '../api/client.ts';

const names = shallowRef<ReadonlyMap<number, string>>(new Map());
let requested = false;

/** Zone names, fetched once and cached, because numbers alone are hard to recognise. */
export function useZoneNames() {
  if (!requested) void load();
  const zones = computed(() =>
    [...names.value].map(([value, name]) => ({ value: String(value), text: `${value} · ${name}` })),
  );
  return { zones, nameOf: (serverId: number) => names.value.get(serverId) };
}

async function load() {
  requested = true;
  const found = new Map<number, string>();
  let cursor: string | undefined;
  try {
    do {
      const { zones, next } = await call('listZones', { query: { limit: 200, cursor } });
      for (const { server_id, name } of zones) found.set(server_id, name);
      cursor = next ?? undefined;
    } while (cursor !== undefined);
    names.value = new Map([...found].sort(([a], [b]) => a - b));
  } catch {
    // The next screen retries; until then only numbers are shown.
    requested = false;
  }
}
