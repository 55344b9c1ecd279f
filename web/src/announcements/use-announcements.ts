import { computed, ref, watch } from 'vue';
import { api } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { language } from '../i18n/language.ts';
import { useLoading } from '../ui/use-loading.ts';
import { usePolling } from '../ui/use-polling.ts';
import { dismissed } from './dismissed.ts';

const REFRESH_SECONDS = 60;
const PATIENCE_MS = 1000;

const { data, busy, load } = useLoading(
  async () => (await api.announcementList({ language: language.value })).announcements,
  failureOf,
);

/** Warnings first, otherwise newest first, without those the player has closed. */
const announcements = computed(() => {
  const open = (data.value ?? []).filter(({ id }) => !dismissed.has(id));
  return [
    ...open.filter(({ level }) => level === 'warning'),
    ...open.filter(({ level }) => level === 'info'),
  ];
});

/** Whether the announcements are known or took too long, so that the layout below no longer shifts. */
export const announcementsSettled = ref(false);

/** The operators' announcements, one list for the whole page. A failure to load them is not shown. */
export function useAnnouncements() {
  if (!busy.value) void load().then(settle);
  if (!announcementsSettled.value) setTimeout(settle, PATIENCE_MS);
  watch(language, load);
  usePolling(load, () => REFRESH_SECONDS);
  return { announcements };
}

function settle() {
  announcementsSettled.value = true;
}
