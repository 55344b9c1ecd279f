import { ref, type ShallowRef, shallowRef } from 'vue';

/**
 * Loads data: holds the data once it has arrived, or the error. A failed reload keeps the previous data. The last call wins: an
 * older answer that arrives later is dropped. `errorOf` maps a thrown value to the error shown, and rethrows bugs of the page.
 */
export function useLoading<T, E>(fetch: () => Promise<T>, errorOf: (thrown: unknown) => E) {
  const data: ShallowRef<T | null> = shallowRef(null);
  const error: ShallowRef<E | null> = shallowRef(null);
  const busy = ref(false);
  let calls = 0;

  async function load() {
    calls += 1;
    const call = calls;
    busy.value = true;
    try {
      const loaded = await fetch();
      if (call !== calls) return;
      data.value = loaded;
      error.value = null;
    } catch (thrown) {
      const reason = errorOf(thrown);
      if (call === calls) error.value = reason;
    } finally {
      if (call === calls) busy.value = false;
    }
  }

  return { data, busy, error, load };
}
