import { onScopeDispose, ref, type WritableComputedRef, watch } from 'vue';

const PAUSE_MS = 250;

/** Debounced text input: updates the target after the last key, and follows changes from elsewhere. */
export function useTyped(target: WritableComputedRef<string, string>) {
  const typed = ref(target.value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(typed, (text) => {
    clearTimeout(timer);
    if (text !== target.value)
      timer = setTimeout(() => {
        target.value = text;
      }, PAUSE_MS);
  });
  watch(target, (text) => {
    clearTimeout(timer);
    typed.value = text;
  });
  onScopeDispose(() => clearTimeout(timer));
  return typed;
}
