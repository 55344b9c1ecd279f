import { ref, type ShallowRef, shallowRef } from 'vue';

/**
 * Something fetched: its data once it arrived, the error if it did not. A failed reload keeps the data of before.
 * The last call wins: an older one that answers later changes nothing.
 * `errorOf` says what the page shows of a thrown value, and rethrows what is a fault of the page itself.
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
