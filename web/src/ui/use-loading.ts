import { type Ref, ref, shallowRef } from 'vue';
import { type Failure, failureOf } from '../api/failure.ts';

/** Something fetched: its value when it is here, why not when it is not. A failed refresh keeps the old value. */
export function useLoading<T>(fetch: () => Promise<T>) {
  const value: Ref<T | null> = shallowRef(null);
  const failure: Ref<Failure | null> = ref(null);
  const busy = ref(false);

  async function load() {
    if (busy.value) return;
    busy.value = true;
    try {
      value.value = await fetch();
      failure.value = null;
    } catch (error) {
      failure.value = failureOf(error);
    } finally {
      busy.value = false;
    }
  }

  return { value, failure, busy, load };
}
