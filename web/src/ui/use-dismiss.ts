import { onScopeDispose, type Ref, type ShallowRef, watch } from 'vue';

/** Closes something on Escape, and when pointer or focus move elsewhere. */
export function useDismiss(
  open: Ref<boolean>,
  root: Readonly<ShallowRef<HTMLElement | null>>,
  close: () => void,
) {
  const elsewhere = (event: Event) => {
    if (event.target instanceof Node && !root.value?.contains(event.target)) open.value = false;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };

  function stop() {
    document.removeEventListener('pointerdown', elsewhere);
    document.removeEventListener('focusin', elsewhere);
    document.removeEventListener('keydown', onKey);
  }

  watch(open, (isOpen) => {
    stop();
    if (!isOpen) return;
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    document.addEventListener('keydown', onKey);
  });
  onScopeDispose(stop);
}
