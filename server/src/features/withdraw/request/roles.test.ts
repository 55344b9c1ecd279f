import { expect, test } from 'vitest';
import type { Zone } from '../../zones/store.ts';
import type { WithdrawDeps } from '../deps.ts';
import { listRoles } from './roles.ts';

interface Case {
  readonly balance: number;
  /** The sum of recent withdrawals. */
  readonly taken?: number;
  /** The balance that the game answered after the last of them. */
  readonly after?: number;
}

/** Lists one role. Returns its entry and what the store was asked for. */
async function list({ balance, taken, after }: Case) {
  const asked: unknown[] = [];
  const amounts = (amount: number | undefined) => new Map(amount === undefined ? [] : [[7, amount]]);
  const deps = {
    store: {
      recentlyDone: async (...args: unknown[]) => {
        asked.push(args);
        return amounts(taken);
      },
      lastBalances: async (...args: unknown[]) => {
        asked.push(args);
        return amounts(after);
      },
    },
    zones: {
      find: () => ({ serverId: 1, openedAt: null, maintenanceUntil: null }) as Zone,
      now: () => 0,
      idsOf: () => [1, 2],
    },
    drivers: () => ({ roles: async () => [{ roleId: 7, name: 'Anna', level: 3, balance }] }),
    settings: { current: { zones: { save_interval: 300 } } },
    rolesLimit: { admit: async () => {} },
  } as unknown as WithdrawDeps;
  const { roles } = await listRoles(deps)({ playerId: 1, account: 'anna' }, 1);
  return { role: roles[0], asked };
}

test.each<[string, Case, { balance: number; settling?: number }]>([
  ['nothing was withdrawn', { balance: 250 }, { balance: 250 }],
  ['the game has not saved', { balance: 250, taken: 100, after: 150 }, { balance: 150 }],
  ['the game has saved', { balance: 150, taken: 100, after: 150 }, { balance: 50, settling: 100 }],
  ['the game has saved one of two', { balance: 150, taken: 200, after: 50 }, { balance: 0, settling: 50 }],
  ['the rest is exactly used up', { balance: 100, taken: 100, after: 0 }, { balance: 0 }],
  ['the role has earned since', { balance: 400, taken: 100, after: 150 }, { balance: 300 }],
  ['the role has spent since', { balance: 120, taken: 100, after: 500 }, { balance: 20, settling: 100 }],
  ['no balance is known', { balance: 250, taken: 100 }, { balance: 150, settling: 100 }],
])('when %s, then what is available and what settles add up', async (_, role, expected) => {
  expect((await list(role)).role).toEqual({ role_id: 7, name: 'Anna', level: 3, ...expected });
});

test('when the game saves every 300 s, then withdrawals of the last 300 s count, of the zones merged into it too', async () => {
  expect((await list({ balance: 250, taken: 100, after: 150 })).asked).toEqual([
    [[1, 2], [7], 300_000],
    [[1, 2], [7], 300_000],
  ]);
  expect((await list({ balance: 250 })).asked).toHaveLength(1);
});
