import { onScopeDispose, ref, type WritableComputedRef, watch } from 'vue';

const PAUSE_MS = 250;

/** A text that is typed: handed on a moment after the last key, and taken over when it changes from elsewhere. */
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
