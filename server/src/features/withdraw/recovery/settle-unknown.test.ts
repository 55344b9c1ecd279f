import { expect, test } from 'vitest';
import type { Receipt } from '../../../integrations/gm-command.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { type SettleDeps, settleUnknown } from './settle-unknown.ts';

/** `receipt_after` and `timeout` together: only after them is "not executed" proof. */
const PAST_MS = 40_000;
const SAVED_MS = 300_000;
const exchange = { sent: 'x' } as unknown as Receipt['exchange'];

interface Situation {
  readonly ageMs?: number;
  /** Undefined if the zone has no receipts. */
  readonly receipt?: Partial<Record<'kind' | 'why' | 'amount', unknown>>;
  readonly byBalance?: boolean;
  readonly withdrawal?: Partial<Withdrawal>;
  /** What was seen when the withdrawal was claimed. */
  readonly claimed?: object | null;
  readonly now?: { balance: number; online: boolean } | undefined;
  readonly saveInterval?: number;
  readonly moves?: boolean;
  readonly isZoneKnown?: boolean;
}

/** Tries to settle a withdrawal of 100 from a balance of 250. */
async function settle(situation: Situation) {
  const { receipt, byBalance = false, claimed = { recent: 0, online: false }, moves = true } = situation;
  const now = 'now' in situation ? situation.now : { balance: 150, online: false };
  const written: object[] = [];
  const warned: unknown[] = [];
  const moved: string[] = [];
  const sending = (detail: object | null) => ({
    to_state: 'sending',
    detail: detail === null ? null : JSON.stringify(detail),
  });
  const deps = {
    store: {
      move: async (_: unknown, move: object) => {
        written.push(move);
        return moves;
      },
    },
    reports: {
      events: async () => [
        sending({ recent: 5, online: true }),
        sending(claimed),
        { to_state: 'unknown', detail: '{"recent":9,"online":true}' },
      ],
    },
    drivers: () => ({
      ...(receipt && { receipt: async () => ({ exchange, ...receipt }) }),
      balance: async () => now,
    }),
    zoneOf: () => (situation.isZoneKnown === false ? undefined : { serverId: 1 }),
    settings: {
      current: {
        withdraw: { resolve_by_balance: byBalance },
        zones: { save_interval: situation.saveInterval ?? SAVED_MS / 1000 },
        gm: { receipt_after: 30, timeout: 10 },
      },
    },
    actor: 'test',
    moved: (state: string) => moved.push(state),
    log: { warn: (_: object, text: string) => warned.push(text) },
  } as unknown as SettleDeps;
  const withdrawal = {
    id: 'w',
    serverId: 1,
    roleId: 7,
    amount: 100,
    balanceBefore: 250,
    gmUrl: null,
    ...situation.withdrawal,
  } as Withdrawal;
  const settled = await settleUnknown(deps)(withdrawal, situation.ageMs ?? SAVED_MS + PAST_MS);
  return { settled, written, warned, moved };
}

const nothing = { settled: false, written: [], warned: [], moved: [] };

test('when the receipt shows the amount, then it is done, however young', async () => {
  expect(await settle({ receipt: { kind: 'executed', amount: 100 }, ageMs: 0 })).toEqual({
    settled: true,
    written: [{ from: 'unknown', to: 'done', why: 'receipt: executed', detail: exchange, actor: 'test' }],
    warned: [],
    moved: ['done'],
  });
});

test('when the receipt shows another amount, then nothing is settled and it is logged', async () => {
  for (const amount of [99, 101])
    expect(await settle({ receipt: { kind: 'executed', amount } })).toEqual({
      ...nothing,
      warned: ['a receipt has another amount'],
    });
});

test('when the receipt says not executed, then it failed, but only once the command is too old to be executed', async () => {
  const receipt = { kind: 'not_executed' };
  expect(await settle({ receipt, ageMs: PAST_MS })).toEqual(nothing);
  expect(await settle({ receipt, ageMs: PAST_MS + 1 })).toMatchObject({
    settled: true,
    written: [
      { from: 'unknown', to: 'failed', why: 'receipt: not executed', resultCode: 'deduction_refused' },
    ],
    moved: ['failed'],
  });
});

test('when the receipt is unreadable, the zone has none, or is unknown, then nothing is settled', async () => {
  expect(await settle({ receipt: { kind: 'unreadable', why: 'no JSON' } })).toEqual(nothing);
  expect(await settle({})).toEqual(nothing);
  expect(await settle({ isZoneKnown: false, receipt: { kind: 'executed', amount: 100 } })).toEqual(nothing);
});

test('when another process was faster, then no state is counted', async () => {
  expect(await settle({ receipt: { kind: 'executed', amount: 100 }, moves: false })).toMatchObject({
    settled: false,
    moved: [],
  });
});

test('when balances may be proof, then an exact one is, and any other is not', async () => {
  const byBalance = true;
  const at = async (balance: number) =>
    (await settle({ byBalance, now: { balance, online: false } })).written;
  const detail = (now: number) => ({ before: 250, now });
  expect(await at(150)).toMatchObject([{ to: 'done', why: 'balance: taken', detail: detail(150) }]);
  expect(await at(250)).toMatchObject([
    { to: 'failed', why: 'balance: untouched', detail: detail(250), resultCode: 'deduction_refused' },
  ]);
  for (const balance of [149, 151, 249, 251, 0, 350]) expect(await at(balance)).toEqual([]);
});

test.each<[string, Situation]>([
  ['the operator has not allowed it', { byBalance: false }],
  ['the game has not saved for sure', { ageMs: SAVED_MS }],
  ['the command may still be executed', { ageMs: PAST_MS, saveInterval: 1 }],
  ['the role is not known', { withdrawal: { roleId: null } }],
  ['the balance before is not known', { withdrawal: { balanceBefore: null } }],
  ['other withdrawals were not saved when it was claimed', { claimed: { recent: 1, online: false } }],
  ['the role was online when it was claimed', { claimed: { recent: 0, online: true } }],
  ['nobody knows whether it was online then', { claimed: { recent: 0 } }],
  ['nobody knows about other withdrawals then', { claimed: { online: false } }],
  ['nothing was recorded when it was claimed', { claimed: null }],
  ['the role is online now', { now: { balance: 150, online: true } }],
  ['the role is gone', { now: undefined }],
])('when %s, then a balance proves nothing', async (_, situation) => {
  expect(await settle({ byBalance: true, ...situation })).toEqual(nothing);
});

test('when both waits are just over, then a balance is proof', async () => {
  expect(await settle({ byBalance: true, ageMs: SAVED_MS + 1 })).toMatchObject({ settled: true });
  expect(await settle({ byBalance: true, ageMs: PAST_MS + 1, saveInterval: 1 })).toMatchObject({
    settled: true,
  });
});
