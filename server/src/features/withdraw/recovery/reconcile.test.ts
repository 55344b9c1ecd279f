import { expect, test } from 'vitest';
import type { ReportStore } from '../store/report-store.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { reconcile } from './reconcile.ts';

const span = { since: 0, until: 1 };
const settled = Array.from(
  { length: 100 },
  (_, n) => ({ id: `${n}`, state: 'done', amount: 5 }) as Withdrawal,
);

test('when a zone does not answer, then the next one is compared before it is asked once more, and the log warns', async () => {
  const asked: number[] = [];
  const warned: object[] = [];
  const sums = [1, 2].map((serverId) => ({ serverId, state: 'done' as const, count: 100, amount: 500 }));
  const reports = {
    sums: async () => sums,
    sent: async () => settled,
  } as Partial<ReportStore> as ReportStore;
  const driver = (serverId: number) => ({
    receipt: async () => {
      asked.push(serverId);
      return serverId === 1 ? { kind: 'unreadable', why: 'no answer' } : { kind: 'executed', amount: 5 };
    },
  });
  const lines = await reconcile({
    reports,
    log: { warn: (fields) => void warned.push(fields) },
    zoneOf: (serverId: number) => ({ serverId }) as never,
    drivers: (({ serverId }: { serverId: number }) => driver(serverId)) as never,
  })(span);
  expect(lines).toMatchObject([
    { server_id: 1, receipts: 0, drift: null },
    { server_id: 2, receipts: 100, drift: 0 },
  ]);
  expect(asked.lastIndexOf(2)).toBeLessThan(125);
  expect(asked.slice(asked.lastIndexOf(2) + 1).length).toBeLessThan(25);
  expect(warned).toEqual([{ server_id: 1 }]);
});
