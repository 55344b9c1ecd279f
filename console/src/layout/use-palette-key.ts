import { onScopeDispose } from 'vue';

/** Handles Ctrl K or ⌘ K, also while typing. */
export function usePaletteKey(open: () => void) {
  function onKey(event: KeyboardEvent) {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) open();
  }
  document.addEventListener('keydown', onKey);
  onScopeDispose(() => document.removeEventListener('keydown', onKey));
}
