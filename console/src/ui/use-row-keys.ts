import { onBeforeUnmount, onMounted, type ShallowRef } from 'vue';
import { isPlainKey } from './hotkeys.ts';

/** `j` and `k` move down and up the rows of a table; Enter opens the focused row. */
export function useRowKeys(root: Readonly<ShallowRef<HTMLElement | null>>) {
  function onKey(event: KeyboardEvent) {
    if (!isPlainKey(event) || (event.key !== 'j' && event.key !== 'k')) return;
    const rows = [...(root.value?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = here === -1 ? 0 : here + (event.key === 'j' ? 1 : -1);
    const row = rows[next];
    if (!row) return;
    event.preventDefault();
    row.focus();
    row.scrollIntoView?.({ block: 'nearest' });
  }
  onMounted(() => document.addEventListener('keydown', onKey));
  onBeforeUnmount(() => document.removeEventListener('keydown', onKey));
}
