import type { ListedZone } from '@gatehouse/contract/player';
import { computed, type Ref, ref } from 'vue';
import { session } from '../auth/session.ts';
import { recentZones } from './recent-zones.ts';
import { groupZones, type ZoneGroup } from './zone-groups.ts';
import { byWorth, canEnter, notYetOpen, searchZones, sortZones, stateOf, type ZoneState } from './zones.ts';

/** With more zones than this, a flat list is unusable. */
const MANY = 12;
const MAX_RECOMMENDED = 9;

export const zoneFilters = ['any', 'free', 'crowded', 'maintenance', 'upcoming'] as const;
export type ZoneFilter = (typeof zoneFilters)[number];

const filtered: Readonly<Record<Exclude<ZoneFilter, 'any'>, readonly ZoneState[]>> = {
  free: ['open', 'new'],
  crowded: ['busy', 'full'],
  maintenance: ['maintenance', 'unreached'],
  upcoming: ['upcoming'],
};

export type ZoneTab =
  | { readonly id: 'recent' | 'recommended'; readonly zones: readonly ListedZone[] }
  | ZoneGroup;

/** Selects the zones to show: those of a tab if there are many, all matches while searching. */
export function useZoneTabs(zones: () => readonly ListedZone[]) {
  const typed = ref('');
  const filter: Ref<ZoneFilter> = ref('any');
  const wantedTab = ref<string | null>(null);

  const tabs = computed<ZoneTab[]>(() => {
    const all = zones();
    if (all.length <= MANY) return [];
    const recent = recentZones.list().flatMap((id) => all.find(({ server_id }) => server_id === id) ?? []);
    const soon = all.filter((zone) => notYetOpen(zone));
    return [
      // A single zone is already in the panel above.
      ...(recent.length > 1 ? [{ id: 'recent' as const, zones: recent }] : []),
      {
        id: 'recommended',
        zones: [...byWorth(all).slice(0, MAX_RECOMMENDED - soon.length), ...soon],
      },
      ...groupZones(all),
    ];
  });
  const tab = computed(() => tabs.value.find(({ id }) => id === wantedTab.value) ?? tabs.value[0]);

  /** Search and filter apply to all tabs. */
  const searching = computed(() => typed.value.trim() !== '' || filter.value !== 'any');
  const shown = computed(() => {
    if (tab.value && !searching.value) return tab.value.zones;
    const wanted = filter.value;
    const fits = (zone: ListedZone) => wanted === 'any' || filtered[wanted].includes(stateOf(zone));
    return searchZones(sortZones(zones(), session.lastZone.value), typed.value).filter(fits);
  });
  const enterable = computed(() => shown.value.filter((zone) => canEnter(zone)));

  return {
    typed,
    filter,
    tabs,
    tab,
    searching,
    shown,
    enterable,
    openTab(id: string) {
      wantedTab.value = id;
      typed.value = '';
      filter.value = 'any';
    },
  };
}
