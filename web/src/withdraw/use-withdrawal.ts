import type { WithdrawRecord, WithdrawState } from '@gatehouse/contract/player';
import { shallowRef } from 'vue';
import { api } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { session } from '../auth/session.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { type Attempt, attempts, isSettled, verdict, type WithdrawOrder } from './attempt.ts';

export interface Outcome {
  readonly state: WithdrawState;
  readonly roleName: string;
  readonly amount: number;
  readonly balanceAfter: number | null;
  readonly withdrawId: string;
  /** Time from the request to its end. */
  readonly seconds: number;
}

/** Handles one withdrawal from confirmation to its end, through reloads, lost answers and expired sessions. */
export function useWithdrawal() {
  const attempt = shallowRef<Attempt | null>(attempts.open(session.account.value));
  const outcome = shallowRef<Outcome | null>(null);

  function close(current: Attempt) {
    attempts.close(current);
    attempt.value = null;
  }

  function settle(current: Attempt, ended: Omit<Outcome, 'roleName' | 'amount'>) {
    outcome.value = { ...ended, roleName: current.roleName, amount: current.order.amount };
    close(current);
  }

  const { busy, error, submit } = useSubmit(async (order: WithdrawOrder, roleName: string, code?: string) => {
    const wasLost = attempt.value?.stage === 'sent';
    const current = attempts.begin(session.account.value, order, roleName, attempt.value);
    attempt.value = current;
    const began = performance.now();
    try {
      const { state, withdraw_id, balance_after } = await api.withdraw(
        { ...order, ...(code && { code }) },
        { idempotencyKey: current.key },
      );
      const seconds = (performance.now() - began) / 1000;
      const ended = { state, balanceAfter: balance_after ?? null, withdrawId: withdraw_id, seconds };
      if (isSettled(state)) settle(current, ended);
      else attempt.value = attempts.update({ ...current, stage: 'accepted', withdrawId: withdraw_id });
    } catch (thrown) {
      const meaning = verdict(failureOf(thrown));
      if (meaning === 'final') close(current);
      // A refusal before processing says nothing about an earlier attempt whose answer was lost.
      if (meaning === 'untaken' && !wasLost) attempt.value = attempts.update({ ...current, stage: 'draft' });
      throw thrown;
    }
  }, failureOf);

  /** Sends the same order with the same key: the answer reveals its outcome, and nothing is deducted twice. */
  async function retry() {
    if (attempt.value) await submit(attempt.value.order, attempt.value.roleName);
  }

  /** Ends an accepted attempt once the history shows its outcome. */
  function settleFrom(records: readonly WithdrawRecord[]) {
    const current = attempt.value;
    const record = records.find((one) => one.withdraw_id === current?.withdrawId);
    if (!current || !record || !isSettled(record.state)) return;
    const { state, withdraw_id, created_at, updated_at } = record;
    const seconds = (Date.parse(updated_at) - Date.parse(created_at)) / 1000;
    settle(current, { state, balanceAfter: null, withdrawId: withdraw_id, seconds });
  }

  function startOver() {
    if (attempt.value) close(attempt.value);
    outcome.value = null;
    error.value = null;
  }

  return { attempt, outcome, busy, error, submit, retry, settleFrom, startOver };
}
