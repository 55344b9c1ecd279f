import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { migratedAt } from './db/opened.ts';
import { configOf } from './support/cli-config.ts';
import { addWithdrawals } from './support/withdraw-rows.ts';

describeByTier('the commands for withdrawals', (engine) => {
  test('when withdrawals are listed, then several states and a span choose among them, and accounts are shown', async () => {
    const url = await engine.freshUrl();
    const db = await migratedAt(url);
    await db.kysely.insertInto('player').values({ account: 'Alice' }).execute();
    const states = ['done', 'unknown', 'failed', 'sending', 'unknown'];
    await addWithdrawals(db, 5, (n) => ({
      id: `id-${n}`,
      state: states[n] ?? 'done',
      player_id: n === 4 ? 2 : 1,
      server_id: (n % 2) + 1,
      created_at: Date.parse('2030-01-01') + n * 86_400_000,
    }));
    const config = configOf(url);
    const list = async (...args: string[]) => {
      const { stdout } = await runCommand(['withdraw', 'list', '--json', ...args], { config });
      return JSON.parse(stdout).map(({ id, account }: Record<string, string>) => [id, account]);
    };
    expect(await list('--state', 'unknown,failed')).toEqual([
      ['id-4', null],
      ['id-2', 'Alice'],
      ['id-1', 'Alice'],
    ]);
    expect(await list('--state', 'sending', '--state', 'done', '--limit', '1')).toEqual([['id-3', 'Alice']]);
    expect(await list('--since', '2030-01-02', '--until', '2030-01-04', '--server', '1')).toEqual([
      ['id-2', 'Alice'],
    ]);
    expect(await list('--account', 'nobody')).toEqual([]);
    const wrong = await runCommand(['withdraw', 'list', '--state', 'unknown,open'], { config });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('must be one of accepted')]);
    const shown = await runCommand(['withdraw', 'show', 'id-'], { config });
    expect(shown.stderr).toContain('several withdrawals start with id-, for example id-0 and id-1');
  });
});
