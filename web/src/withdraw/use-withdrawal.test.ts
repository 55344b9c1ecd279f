import { GatehouseError, type WithdrawRecord } from '@gatehouse/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../api/client.ts';
import { session } from '../auth/session.ts';
import { useWithdrawal } from './use-withdrawal.ts';

const order = { server_id: 1, role: 1001, amount: 500 };
const withdraw = vi.spyOn(api, 'withdraw');
const keys = () => withdraw.mock.calls.map(([, options]) => options?.idempotencyKey);

const refusedWith = (code: 'insufficient_balance' | 'invalid_token', status: number) =>
  new GatehouseError(code, {
    status,
    problem: { type: '', title: '', status, detail: '', code, request_id: 'r' },
  });
const signIn = (account: string) =>
  session.start({
    token: `e30.${btoa(JSON.stringify({ account }))}.s`,
    token_type: 'Bearer',
    expires_at: '2099-01-01T00:00:00.000Z',
    account,
    server_id: null,
  });
const unreachable = new GatehouseError('unreachable');
const done = { ...order, withdraw_id: 'w-1', state: 'done' as const, balance_after: 300 };
const unknown = { ...order, withdraw_id: 'w-1', state: 'unknown' as const };

beforeEach(() => {
  sessionStorage.clear();
  signIn('li_bai');
});
afterEach(() => {
  withdraw.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('when confirm is clicked twice, then one request is sent', async () => {
  withdraw.mockResolvedValue(done);
  const { submit, outcome } = useWithdrawal();
  await Promise.all([submit(order, '风清扬'), submit(order, '风清扬')]);
  expect(withdraw).toHaveBeenCalledOnce();
  expect(outcome.value).toMatchObject({ state: 'done', amount: 500, balanceAfter: 300 });
});

test('when the answer is lost and the page reloaded, then nothing is sent automatically and asking uses the same key', async () => {
  withdraw.mockRejectedValueOnce(new GatehouseError('unreachable'));
  await useWithdrawal().submit(order, '风清扬');

  const reloaded = useWithdrawal();
  expect(reloaded.attempt.value).toMatchObject({ stage: 'sent', order, roleName: '风清扬' });
  expect(withdraw).toHaveBeenCalledOnce();

  withdraw.mockResolvedValueOnce(done);
  await reloaded.retry();
  expect(new Set(keys()).size).toBe(1);
  expect(reloaded.outcome.value?.state).toBe('done');
  expect(useWithdrawal().attempt.value).toBeNull();
});

type Request = PromiseWithResolvers<Awaited<ReturnType<typeof api.withdraw>>>;
type Answer = (request: Request) => void;

/** Confirms a withdrawal, leaves the page and returns. The answer to the first page arrives when `answer` is called. */
function returnDuringRequest() {
  const first: Request = Promise.withResolvers();
  withdraw.mockReturnValueOnce(first.promise);
  const submitted = useWithdrawal().submit(order, '风清扬');
  return {
    returned: useWithdrawal(),
    async answer(by: Answer) {
      by(first);
      await submitted;
    },
  };
}

describe.each<[string, Answer]>([
  ['done', ({ resolve }) => resolve(done)],
  ['unknown', ({ resolve }) => resolve(unknown)],
  ['a final refusal', ({ reject }) => reject(refusedWith('insufficient_balance', 422))],
  ['an ended session', ({ reject }) => reject(refusedWith('invalid_token', 401))],
  ['lost', ({ reject }) => reject(unreachable)],
])('the answer to a page that the player has left: %s', (_name, by) => {
  test('when it arrives before the player asks, then asking uses the same key', async () => {
    const { returned, answer } = returnDuringRequest();
    await answer(by);
    withdraw.mockRejectedValueOnce(unreachable).mockResolvedValueOnce(done);
    await returned.retry();
    await returned.retry();
    expect(keys()).toEqual([expect.any(String), keys()[0], keys()[0]]);
    expect(returned.outcome.value?.state).toBe('done');
    expect(useWithdrawal().attempt.value).toBeNull();
  });

  test('when it arrives after a newer withdrawal has begun, then that one stays open', async () => {
    const { returned, answer } = returnDuringRequest();
    returned.startOver();
    withdraw.mockRejectedValueOnce(unreachable);
    await returned.submit({ ...order, amount: 700 }, '风清扬');
    await answer(by);
    const reloaded = useWithdrawal();
    expect(reloaded.attempt.value).toMatchObject({ order: { amount: 700 }, stage: 'sent' });
    reloaded.startOver();
  });

  test('when the player has stopped tracking the withdrawal, then it stays closed', async () => {
    const { returned, answer } = returnDuringRequest();
    returned.startOver();
    await answer(by);
    expect(useWithdrawal().attempt.value).toBeNull();
  });
});

test('when no answer arrives in time, then it counts as possibly taken and asking uses the same key', async () => {
  vi.useFakeTimers();
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', (async (_url, init) => {
    sent.push(init ?? {});
    if (sent.length > 1) return Response.json(done);
    return new Promise((_, reject) => init?.signal?.addEventListener('abort', reject));
  }) satisfies typeof fetch);
  const { submit, retry, attempt, error, outcome } = useWithdrawal();
  const submitted = submit(order, '风清扬');
  await vi.advanceTimersByTimeAsync(30_000);
  await submitted;
  expect(error.value).toEqual({ kind: 'offline' });
  expect(attempt.value?.stage).toBe('sent');
  expect(outcome.value).toBeNull();

  await retry();
  expect(outcome.value?.state).toBe('done');
  const sentKeys = sent.map(({ headers }) => new Headers(headers).get('idempotency-key'));
  expect(sentKeys).toEqual([expect.any(String), sentKeys[0]]);
});

test('when one withdrawal is over, then the next has its own key', async () => {
  withdraw.mockResolvedValue(done);
  const { submit } = useWithdrawal();
  await submit(order, '风清扬');
  await submit(order, '风清扬');
  expect(new Set(keys()).size).toBe(2);
});

test('when the service finally refuses, then a new attempt is a new request', async () => {
  withdraw.mockRejectedValueOnce(refusedWith('insufficient_balance', 422));
  const { submit, attempt, error } = useWithdrawal();
  await submit(order, '风清扬');
  expect(attempt.value).toBeNull();
  expect(error.value?.kind).toBe('refused');

  withdraw.mockResolvedValueOnce(done);
  await submit(order, '风清扬');
  expect(new Set(keys()).size).toBe(2);
});

test('when the session had expired, then the form returns filled in and keeps its key', async () => {
  withdraw.mockRejectedValueOnce(refusedWith('invalid_token', 401));
  await useWithdrawal().submit(order, '风清扬');

  const later = useWithdrawal();
  expect(later.attempt.value).toMatchObject({ stage: 'draft', order });
  withdraw.mockResolvedValueOnce(done);
  await later.submit(order, '风清扬');
  expect(new Set(keys()).size).toBe(1);
});

test('when an answer was lost and asking finds an expired session, then it still counts as possibly taken', async () => {
  withdraw.mockRejectedValueOnce(new GatehouseError('unavailable', { status: 502 }));
  withdraw.mockRejectedValueOnce(refusedWith('invalid_token', 401));
  const { submit, retry } = useWithdrawal();
  await submit(order, '风清扬');
  await retry();
  expect(useWithdrawal().attempt.value?.stage).toBe('sent');
});

test('when the outcome is unknown, then it is polled until the history shows it', async () => {
  withdraw.mockResolvedValue(unknown);
  const { submit, attempt, outcome, settleFrom } = useWithdrawal();
  await submit(order, '风清扬');
  expect(attempt.value).toMatchObject({ stage: 'accepted', withdrawId: 'w-1' });

  const record: WithdrawRecord = {
    ...unknown,
    role: '风清扬',
    role_id: 1001,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
  settleFrom([record]);
  expect(outcome.value).toBeNull();
  settleFrom([{ ...record, state: 'done' }]);
  expect(outcome.value?.state).toBe('done');
  expect(attempt.value).toBeNull();
});

test('when another player uses the tab, then the previous player’s attempt is not shown', async () => {
  withdraw.mockRejectedValueOnce(new GatehouseError('unreachable'));
  await useWithdrawal().submit(order, '风清扬');
  signIn('du_fu');
  expect(useWithdrawal().attempt.value).toBeNull();
});
