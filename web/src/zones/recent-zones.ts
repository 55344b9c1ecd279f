import { ref } from 'vue';
import { session } from '../auth/session.ts';
import { localValue } from '../ui/browser-storage.ts';

const MOST = 6;
const stored = localValue('gatehouse.recent');
const recent = ref(parsed(stored.get()));

/** Zones this player entered recently in this browser, latest first, and the one the service remembers. */
export const recentZones = {
  list(): readonly number[] {
    const kept = recent.value.account === session.account.value ? recent.value.zones : [];
    const last = session.isNew.value ? null : session.lastZone.value;
    return last === null ? kept : [last, ...kept.filter((id) => id !== last)];
  },
  add(zone: number) {
    const zones = [zone, ...recentZones.list().filter((id) => id !== zone)].slice(0, MOST);
    recent.value = { account: session.account.value, zones };
    stored.set(JSON.stringify(recent.value));
  },
};

function parsed(text: string | null): { account: string; zones: readonly number[] } {
  try {
    const { account, zones } = JSON.parse(text ?? '{}');
    if (typeof account === 'string' && Array.isArray(zones)) return { account, zones };
  } catch {}
  return { account: '', zones: [] };
}
