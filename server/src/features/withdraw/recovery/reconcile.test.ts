import { expect, test } from 'vitest';
import type { ReportStore } from '../store/report-store.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { reconcile } from './reconcile.ts';

const span = { since: 0, until: 1 };
const settled = Array.from(
  { length: 100 },
  (_, n) => ({ id: `${n}`, state: 'done', amount: 5 }) as Withdrawal,
);

test('when a zone does not answer, then it is left after some receipts, and the next zone is compared', async () => {
  const asked = { silent: 0, good: 0 };
  const sums = [1, 2].map((serverId) => ({ serverId, state: 'done' as const, count: 100, amount: 500 }));
  const reports = {
    sums: async () => sums,
    sent: async () => settled,
  } as Partial<ReportStore> as ReportStore;
  const driver = (serverId: number) => ({
    receipt: async () => {
      asked[serverId === 1 ? 'silent' : 'good'] += 1;
      return serverId === 1 ? { kind: 'unreadable', why: 'no answer' } : { kind: 'executed', amount: 5 };
    },
  });
  const lines = await reconcile({
    reports,
    zoneOf: (serverId: number) => ({ serverId }) as never,
    drivers: (({ serverId }: { serverId: number }) => driver(serverId)) as never,
  })(span);
  expect(lines).toMatchObject([
    { server_id: 1, receipts: 0, drift: null },
    { server_id: 2, receipts: 100, drift: 0 },
  ]);
  expect(asked.silent).toBeLessThan(25);
  expect(asked.good).toBe(100);
});
