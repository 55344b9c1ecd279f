import { ref, type ShallowRef, shallowRef } from 'vue';
import { type Failure, failureOf } from '../api/failure.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/**
 * A list with infinite scrolling. `load` restarts and keeps the rows until the answer arrives; `refresh` does so only while just
 * the first page is loaded, so that the scroll position is kept. The last call wins.
 */
export function useList<Row>(fetchPage: (cursor: string | undefined) => Promise<Page<Row>>) {
  const rows: ShallowRef<readonly Row[] | null> = shallowRef(null);
  const next = ref<string | null>(null);
  const error: ShallowRef<Failure | null> = shallowRef(null);
  const busy = ref(false);
  const asOf: ShallowRef<Date | null> = shallowRef(null);
  let calls = 0;
  let pages = 0;

  async function run(cursor: string | undefined) {
    calls += 1;
    const call = calls;
    busy.value = true;
    try {
      const page = await fetchPage(cursor);
      if (call !== calls) return;
      rows.value = cursor === undefined ? page.rows : [...(rows.value ?? []), ...page.rows];
      next.value = page.next;
      pages = cursor === undefined ? 1 : pages + 1;
      asOf.value = new Date();
      error.value = null;
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (call === calls) error.value = failure;
    } finally {
      if (call === calls) busy.value = false;
    }
  }

  /** For changed filters: clears the rows, which no longer match. */
  async function restart() {
    rows.value = null;
    next.value = null;
    await run(undefined);
  }

  return {
    rows,
    next,
    error,
    busy,
    asOf,
    restart,
    load: () => run(undefined),
    refresh: async () => {
      if (pages <= 1 && !busy.value) await run(undefined);
    },
    more: async () => {
      if (next.value !== null && !busy.value && !error.value) await run(next.value);
    },
  };
}
