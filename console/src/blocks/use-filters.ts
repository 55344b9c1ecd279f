import { computed } from 'vue';
import { type LocationQuery, useRoute, useRouter } from 'vue-router';

/** The filters of a screen, stored in its URL: a link shows a colleague the same list, and the back button works. */
export function useFilters<const K extends string>(...names: readonly K[]) {
  const route = useRoute();
  const router = useRouter();
  const filters = computed(() => filtersIn(route.query, names));
  const active = computed(() => names.some((name) => filters.value[name] !== ''));

  /** Typing replaces the history entry, a choice adds a new one. */
  function set(changed: Partial<Record<K, string>>, how: 'push' | 'replace' = 'push') {
    const query = { ...route.query };
    for (const [name, value] of Object.entries(changed)) {
      if (value) query[name] = String(value);
      else delete query[name];
    }
    return router[how]({ query, hash: route.hash });
  }

  const clear = () => set(Object.fromEntries(names.map((name) => [name, ''])) as Partial<Record<K, string>>);

  /** One filter, for v-model. */
  function model(name: K, how: 'push' | 'replace' = 'push') {
    return computed({
      get: () => filters.value[name],
      set: (value: string | number | '') =>
        void set({ [name]: String(value) } as Partial<Record<K, string>>, how),
    });
  }

  return { filters, active, set, clear, model };
}

/** Ignores repeated and unknown parameters. */
export function filtersIn<K extends string>(query: LocationQuery, names: readonly K[]): Record<K, string> {
  const entries = names.map((name) => [name, typeof query[name] === 'string' ? query[name] : '']);
  return Object.fromEntries(entries) as Record<K, string>;
}

/** Converts a filter for the API: undefined instead of empty text. */
export const orUndefined = (text: string) => text.trim() || undefined;
export const numberOrUndefined = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);
