import type { AdminZone } from '@gatehouse/contract/admin';
import { computed, type Ref, ref } from 'vue';

/** Selected zones; those hidden by a filter do not count. */
export function useSelection(shown: Readonly<Ref<readonly AdminZone[]>>) {
  const ids = ref<ReadonlySet<number>>(new Set());
  return {
    zones: computed(() => shown.value.filter(({ server_id }) => ids.value.has(server_id))),
    has: (id: number) => ids.value.has(id),
    toggle(id: number) {
      const next = new Set(ids.value);
      if (!next.delete(id)) next.add(id);
      ids.value = next;
    },
    all() {
      ids.value = new Set(shown.value.map(({ server_id }) => server_id));
    },
    clear() {
      ids.value = new Set();
    },
  };
}
