import type { Role } from '@gatehouse/contract/player';
import { type Ref, shallowRef, watch } from 'vue';
import { api } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { session } from '../auth/session.ts';

/** By account and zone: another account may log in to the same tab. */
const known = new Map<string, Role | null>();

/** The player's strongest role in a zone, if its game database can be read; failures are ignored. */
export function useOwnRole(zone: () => number | null): Readonly<Ref<Role | null>> {
  const role = shallowRef<Role | null>(null);
  watch(
    zone,
    async (id) => {
      const key = `${session.account.value} ${id}`;
      role.value = known.get(key) ?? null;
      if (id === null) return;
      try {
        const { roles } = await api.roles({ server_id: id });
        const [first = null] = roles.toSorted((a, b) => b.level - a.level);
        known.set(key, first);
        if (zone() === id) role.value = first;
      } catch (thrown) {
        // Rethrows bugs of the page.
        failureOf(thrown);
      }
    },
    { immediate: true },
  );
  return role;
}
