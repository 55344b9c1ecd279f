import type { WithdrawRecord, WithdrawState } from '@gatehouse/contract';
import { ref, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { session } from '../auth/session.ts';
import { type Attempt, attempts, isSettled, verdict, type WithdrawOrder } from './attempt.ts';

export interface Outcome {
  readonly state: WithdrawState;
  readonly roleName: string;
  readonly amount: number;
  readonly balanceAfter: number | null;
}

/** One withdrawal from the player's word to its end, however the page is treated in between. */
export function useWithdrawal() {
  const attempt = shallowRef<Attempt | null>(attempts.open(session.account.value));
  const outcome = shallowRef<Outcome | null>(null);
  const failure = ref<Failure | null>(null);
  const sending = ref(false);

  function close() {
    attempts.close();
    attempt.value = null;
  }

  function settle(current: Attempt, state: WithdrawState, balanceAfter: number | null) {
    outcome.value = { state, roleName: current.roleName, amount: current.order.amount, balanceAfter };
    close();
  }

  async function send(order: WithdrawOrder, roleName: string) {
    if (sending.value) return;
    sending.value = true;
    failure.value = null;
    const wasLost = attempt.value?.stage === 'sent';
    const current = attempts.begin(session.account.value, order, roleName);
    attempt.value = current;
    try {
      const { state, withdraw_id, balance_after } = await api.withdraw(order, current.key);
      if (isSettled(state)) settle(current, state, balance_after ?? null);
      else attempt.value = attempts.keep({ ...current, stage: 'accepted', withdrawId: withdraw_id });
    } catch (error) {
      failure.value = failureOf(error);
      const said = verdict(failure.value);
      if (said === 'final') close();
      // A refusal at the gate says nothing of an earlier try whose answer was lost.
      if (said === 'untaken' && !wasLost) attempt.value = attempts.keep({ ...current, stage: 'draft' });
    } finally {
      sending.value = false;
    }
  }

  /** Asks again under the same key what became of it. */
  const ask = () => attempt.value && send(attempt.value.order, attempt.value.roleName);

  /** The history has news of an accepted attempt. */
  function follow(records: readonly WithdrawRecord[]) {
    const current = attempt.value;
    const record = records.find((one) => one.withdraw_id === current?.withdrawId);
    if (current && record && isSettled(record.state)) settle(current, record.state, null);
  }

  function startOver() {
    close();
    outcome.value = null;
    failure.value = null;
  }

  return { attempt, outcome, failure, sending, send, ask, follow, startOver };
}
