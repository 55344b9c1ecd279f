import type { WithdrawRecord } from '@gatehouse/contract';
import { ref, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { useRefresh } from '../ui/use-polling.ts';
import { isSettled } from './attempt.ts';

const EAGER_ROUNDS = 10;
const EAGER_SECONDS = 3;
const CALM_SECONDS = 15;

/**
 * The player's withdrawals. While one is open the newest page refreshes by itself, less eagerly with time;
 * so does a page that could not be fetched.
 */
export function useHistory(onNews: (records: readonly WithdrawRecord[]) => void) {
  const records = shallowRef<readonly WithdrawRecord[] | null>(null);
  const failure = ref<Failure | null>(null);
  const busy = ref(false);
  const next = ref<string | null>(null);
  let rounds = 0;

  async function fetchPage(after?: string) {
    if (busy.value) return;
    busy.value = true;
    try {
      const page = await api.withdrawals(after);
      const fresh = new Set(page.withdrawals.map(({ withdraw_id }) => withdraw_id));
      const known = (records.value ?? []).filter(({ withdraw_id }) => !fresh.has(withdraw_id));
      if (after !== undefined || records.value === null) next.value = page.next;
      records.value = after === undefined ? [...page.withdrawals, ...known] : [...known, ...page.withdrawals];
      failure.value = null;
      onNews(records.value);
    } catch (error) {
      failure.value = failureOf(error);
    } finally {
      busy.value = false;
      plan();
    }
  }

  const waiting = () => records.value?.some(({ state }) => !isSettled(state)) ?? false;

  async function round() {
    rounds += 1;
    await fetchPage();
  }

  const { plan } = useRefresh(round, () => {
    if (waiting() && rounds < EAGER_ROUNDS) return EAGER_SECONDS;
    return waiting() || failure.value ? CALM_SECONDS : null;
  });

  function load() {
    rounds = 0;
    return fetchPage();
  }

  const more = () => (next.value === null ? undefined : fetchPage(next.value));

  return { records, failure, busy, next, load, more };
}
