import { ref } from 'vue';
import { sessionValue } from '../ui/browser-storage.ts';

const stored = sessionValue('gatehouse.dismissed');
const ids = ref(new Set((stored.get() ?? '').split(',').filter(Boolean).map(Number)));

/** Announcements the player has closed, until the tab is closed. */
export const dismissed = {
  has: (id: number) => ids.value.has(id),
  add(id: number) {
    ids.value.add(id);
    stored.set([...ids.value].join(','));
  },
};
