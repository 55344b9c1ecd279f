import { onScopeDispose } from 'vue';

/** Reports whether a key press is a shortcut: no text field, no open dialog, no modifier. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = event.target instanceof Element ? event.target : null;
  return (
    !at?.closest('input, textarea, select, [contenteditable]') && !document.querySelector('dialog[open]')
  );
}

/** Binds plain keys to actions while the component is mounted. */
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
