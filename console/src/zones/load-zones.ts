import type { AdminZone } from '@gatehouse/contract/admin';
import { call } from '../api/client.ts';

/** Loads all zones: the overview of zones shows all of them, and even a large platform has few pages. */
export async function loadZones(): Promise<AdminZone[]> {
  const found: AdminZone[] = [];
  let cursor: string | undefined;
  do {
    const { zones, next } = await call('listZones', { query: { limit: 200, cursor } });
    found.push(...zones);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}
