import { computed, ref } from 'vue';
import { facts } from '../api/facts.ts';
import { dayIn, shiftDay } from '../i18n/platform-time.ts';
import { useFilters } from './use-filters.ts';
import { useRefresh } from './use-resource.ts';

/** The day a screen shows, stored in its URL. By default the platform's current day, or so many days before, also after midnight. */
export function useDay({ daysBack = 0 } = {}) {
  const { filters, set } = useFilters('day');
  const currentDay = () => dayIn(facts.timeZone, new Date());
  const today = ref(currentDay());
  useRefresh(async () => {
    today.value = currentDay();
  });
  const day = computed({
    get: () => filters.value.day || shiftDay(today.value, -daysBack),
    set: (chosen: string) => void set({ day: chosen }),
  });
  return { day, today };
}
