import { GatehouseError, type WithdrawRecord } from '@gatehouse/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EffectScope, effectScope } from 'vue';
import { api } from '../api/client.ts';
import { useHistory } from './use-history.ts';

const withdrawals = vi.spyOn(api, 'withdrawals');
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers();
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
  withdrawals.mockReset();
});

const record = (state: WithdrawRecord['state']): WithdrawRecord => ({
  withdraw_id: 'w-1',
  state,
  server_id: 1,
  role: '风清扬',
  role_id: 1001,
  amount: 500,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});
const page = (state: WithdrawRecord['state']) => ({ withdrawals: [record(state)], next: null });
const offline = new GatehouseError('unreachable');

function history() {
  const found = scope.run(() => useHistory(() => {}));
  if (!found) throw new Error('no history');
  return found;
}

test('when a refresh fails, then the known records stay, and it is retried until it works', async () => {
  withdrawals.mockResolvedValueOnce(page('done'));
  withdrawals.mockRejectedValueOnce(offline).mockRejectedValueOnce(offline);
  withdrawals.mockResolvedValueOnce(page('done'));
  const { load, records, error } = history();
  await load();
  await load();
  expect(error.value).toEqual({ kind: 'offline' });
  expect(records.value).toHaveLength(1);

  await vi.advanceTimersToNextTimerAsync();
  expect(error.value).toEqual({ kind: 'offline' });
  await vi.advanceTimersToNextTimerAsync();
  expect(error.value).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test('when a withdrawal is open, then the list refreshes until it is settled', async () => {
  withdrawals.mockResolvedValueOnce(page('unknown')).mockResolvedValueOnce(page('done'));
  const { load, records } = history();
  await load();
  await vi.advanceTimersToNextTimerAsync();
  expect(records.value).toEqual([record('done')]);
  expect(vi.getTimerCount()).toBe(0);
});

test('when an older request answers after a newer one, then the newer answer stays', async () => {
  const older = Promise.withResolvers<ReturnType<typeof page>>();
  withdrawals.mockReturnValueOnce(older.promise).mockResolvedValueOnce(page('done'));
  const { load, records, busy } = history();
  const first = load();
  await load();
  older.resolve(page('unknown'));
  await first;
  expect(records.value).toEqual([record('done')]);
  expect(busy.value).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
