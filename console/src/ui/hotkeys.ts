import { onScopeDispose } from 'vue';

/** A key that is no text: nobody is typing, no dialog is open, no modifier is held. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = event.target instanceof Element ? event.target : null;
  return (
    !at?.closest('input, textarea, select, [contenteditable]') && !document.querySelector('dialog[open]')
  );
}

/** Calls the action of a plain key while the component lives. */
export function useHotkeys(actions: Readonly<Record<string, () => void>>) {
  function onKey(event: KeyboardEvent) {
    const action = isPlainKey(event) ? actions[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  }
  document.addEventListener('keydown', onKey);
  onScopeDispose(() => document.removeEventListener('keydown', onKey));
}
