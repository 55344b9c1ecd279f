import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { UnknownWithdrawal, WithdrawStore } from '../store/store.ts';
import { settleWithBackoff } from './settle-unknown.ts';

// The time between two rounds decides which withdrawals are tried.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());

const unknown = (id: string, serverId: number) =>
  ({ withdrawal: { id, serverId }, ageMs: 0 }) as UnknownWithdrawal;

function open(withdrawals: UnknownWithdrawal[], settle: (id: string) => Promise<boolean>) {
  const tried: string[] = [];
  const warnings: object[] = [];
  let stopping = false;
  const round = settleWithBackoff({
    store: { unknown: async () => withdrawals } as Pick<WithdrawStore, 'unknown'> as WithdrawStore,
    settle: ({ id }) => {
      tried.push(id);
      return settle(id);
    },
    stopping: () => stopping,
    log: { warn: (fields) => void warnings.push(fields) },
  });
  return {
    round,
    warnings,
    tried: () => tried.splice(0),
    stop: () => {
      stopping = true;
    },
  };
}

test('when a zone’s withdrawals cannot be tried, then all others are tried, and the failed ones only after a pause', async () => {
  const broken = Array.from({ length: 10 }, (_, n) => unknown(`broken ${n}`, 1));
  const subject = open([...broken, unknown('right', 2), unknown('last', 1)], async (id) => {
    if (id.startsWith('broken')) throw new Error('away');
    return false;
  });
  await subject.round();
  expect(subject.tried()).toHaveLength(12);
  expect(subject.warnings).toHaveLength(10);
  await subject.round();
  expect(subject.tried()).toEqual([]);
});

test('when a zone has very many, then each is tried in some round', async () => {
  const many = Array.from({ length: 50 }, (_, n) => unknown(`${n}`, 1));
  const subject = open(many, async () => false);
  const tried = new Set<string>();
  for (let round = 0; round < 3; round++) {
    await subject.round();
    for (const id of subject.tried()) tried.add(id);
  }
  expect(tried.size).toBe(50);
});

test('when the service stops, then no more are tried', async () => {
  const subject = open(
    Array.from({ length: 9 }, (_, n) => unknown(`${n}`, 1)),
    async () => {
      subject.stop();
      return false;
    },
  );
  await subject.round();
  expect(subject.tried()).toEqual(['0']);
});

test('when a zone has very many, then a round tries twenty of them and all of another zone, and the next round the rest', async () => {
  const many = Array.from({ length: 25 }, (_, n) => unknown(`many ${n}`, 1));
  const subject = open([...many, unknown('other', 2)], async () => false);
  await subject.round();
  expect(subject.tried().sort()).toEqual(
    [...many.slice(0, 20).map((each) => each.withdrawal.id), 'other'].sort(),
  );
  await subject.round();
  expect(subject.tried()).toEqual(many.slice(20).map((each) => each.withdrawal.id));
});
