import type { ListedPlayer } from '@gatehouse/contract/admin';
import { computed, onScopeDispose, type Ref, ref, type ShallowRef, shallowRef, watch } from 'vue';
import { call } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';

const PAUSE_MS = 200;
const WITHDRAWAL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Searches players with a debounce; outdated answers are dropped. */
export function usePlayerSearch(q: Ref<string>) {
  const players: ShallowRef<readonly ListedPlayer[]> = shallowRef([]);
  const error: ShallowRef<Failure | null> = shallowRef(null);
  const busy = ref(false);
  const withdrawalId = computed(() => (WITHDRAWAL_ID.test(q.value.trim()) ? q.value.trim() : null));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let calls = 0;

  async function find(text: string) {
    calls += 1;
    const own = calls;
    try {
      const found = await call('listPlayers', { query: { q: text, limit: 8 } });
      if (own === calls) [players.value, error.value] = [found.players, null];
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (own === calls) [players.value, error.value] = [[], failure];
    } finally {
      if (own === calls) busy.value = false;
    }
  }

  watch(q, (text) => {
    clearTimeout(timer);
    busy.value = text.trim() !== '';
    if (busy.value) timer = setTimeout(find, PAUSE_MS, text.trim());
    else {
      calls += 1;
      players.value = [];
    }
  });
  onScopeDispose(() => clearTimeout(timer));
  return { players, withdrawalId, busy, error };
}
