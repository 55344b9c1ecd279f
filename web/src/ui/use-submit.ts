import { ref, type ShallowRef, shallowRef } from 'vue';

/**
 * An action that changes something. One at a time: a call while another is under way does nothing.
 * `errorOf` says what the page shows of a thrown value, and rethrows what is a fault of the page itself.
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
