import type { AnswerOf, routes, WithdrawRecord } from '@gatehouse/contract/player';
import { ref, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { usePolling } from '../ui/use-polling.ts';
import { isSettled } from './attempt.ts';

const FAST_POLLS = 10;
const FAST_SECONDS = 3;
const SLOW_SECONDS = 15;

/** The used part of the daily limit. */
export type DayUse = NonNullable<AnswerOf<typeof routes.withdrawals>['day']>;

/** The player's withdrawals. Polls the newest page while one is open, with increasing pauses; retries a failed page likewise. */
export function useHistory(onRecords: (records: readonly WithdrawRecord[]) => void) {
  const records = shallowRef<readonly WithdrawRecord[] | null>(null);
  const error = shallowRef<Failure | null>(null);
  const busy = ref(false);
  const next = ref<string | null>(null);
  const day = shallowRef<DayUse | null>(null);
  let polls = 0;
  let calls = 0;

  /** The last call wins: a page that arrives after a newer request is dropped. */
  async function fetchPage(after?: string) {
    calls += 1;
    const call = calls;
    busy.value = true;
    try {
      const page = await api.withdrawals({ limit: 20, next: after, include: 'day' });
      if (call === calls) merge(page, after);
    } catch (thrown) {
      const reason = failureOf(thrown);
      if (call === calls) error.value = reason;
    } finally {
      if (call === calls) {
        busy.value = false;
        schedule();
      }
    }
  }

  function merge(page: Awaited<ReturnType<typeof api.withdrawals>>, after?: string) {
    const fresh = new Set(page.withdrawals.map(({ withdraw_id }) => withdraw_id));
    const known = (records.value ?? []).filter(({ withdraw_id }) => !fresh.has(withdraw_id));
    if (after !== undefined || records.value === null) next.value = page.next;
    records.value = after === undefined ? [...page.withdrawals, ...known] : [...known, ...page.withdrawals];
    day.value = page.day ?? day.value;
    error.value = null;
    onRecords(records.value);
  }

  const hasOpen = () => records.value?.some(({ state }) => !isSettled(state)) ?? false;

  async function poll() {
    if (busy.value) return;
    polls += 1;
    await fetchPage();
  }

  const { schedule } = usePolling(poll, () => {
    if (hasOpen() && polls < FAST_POLLS) return FAST_SECONDS;
    return hasOpen() || error.value ? SLOW_SECONDS : null;
  });

  function load() {
    polls = 0;
    return fetchPage();
  }

  async function more() {
    if (!busy.value && next.value !== null) await fetchPage(next.value);
  }

  return { records, busy, error, next, day, load, more };
}
