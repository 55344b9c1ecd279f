import { ref, type ShallowRef, shallowRef } from 'vue';

/**
 * Runs an action that changes something. Calls during a running one are ignored. `errorOf` maps a thrown value to the error
 * shown, and rethrows bugs of the page.
 */
export function useSubmit<Args extends unknown[], E>(
  action: (...args: Args) => Promise<void>,
  errorOf: (thrown: unknown) => E,
) {
  const busy = ref(false);
  const error: ShallowRef<E | null> = shallowRef(null);

  async function submit(...args: Args) {
    if (busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      await action(...args);
    } catch (thrown) {
      error.value = errorOf(thrown);
    } finally {
      busy.value = false;
    }
  }

  return { busy, error, submit };
}
