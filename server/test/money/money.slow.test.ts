import { expect, test } from 'vitest';
import { failpoints as allFailpoints } from '../../src/features/withdraw/process/failpoints.ts';
import { runMoney } from './run.ts';

const none = expect.toSatisfy((violations: object) =>
  Object.values(violations).every((count) => count === 0),
);

// The full run is `npm run test:money`; it also waits for a process to die while taking over another's work.
const failpoints = allFailpoints.filter((failpoint) => failpoint !== 'adopted');

test('when everything fails and is killed all the time, then no money is lost, duplicated or made up', async () => {
  const { violations, facts } = await runMoney({
    kind: 'gatehouse',
    withdrawals: 120,
    roles: 40,
    kills: 4,
    failpoints,
  });
  expect(violations, JSON.stringify({ violations, facts })).toEqual(none);
  expect(facts['kill -9 at named failpoints']).toBe(failpoints.length);
  expect(facts['databases restarted or killed']).toBe(4);
}, 300_000);

test('when the naive control gets the same faults, then the run detects its errors', async () => {
  const { violations } = await runMoney({ kind: 'naive', withdrawals: 160, roles: 40, kills: 3 });
  expect(violations['double deductions']).toBeGreaterThan(0);
  expect(violations['currency taken less sum of done']).not.toBe(0);
}, 120_000);
