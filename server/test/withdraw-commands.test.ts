import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { migratedAt } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
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

  test('when a backup was restored, then what was open becomes unknown, and the time to compare from stays the same', async () => {
    const url = await engine.freshUrl();
    const db = await migratedAt(url);
    const newest = Date.parse('2030-01-31T05:00:00Z');
    const states = ['accepted', 'sending', 'unknown', 'done', 'refused', 'failed'];
    await addWithdrawals(db, states.length, (n) => ({
      id: `id-${n}`,
      state: states[n] ?? 'done',
      claim_token: n === 1 ? 'claimed' : null,
      open_key: n < 3 ? `1:${n}` : null,
      created_at: newest - n,
    }));
    const config = configOf(url);
    const restored = async () => {
      const { stdout } = await runCommand(['withdraw', 'restored', '--reason', 'disk lost', '--json'], {
        config,
      });
      return JSON.parse(stdout);
    };
    const compare_from = '2030-01-31T04:59:00.000Z';
    expect(await restored()).toEqual({ marked: ['id-0', 'id-1'], compare_from });

    const rows = await db.kysely.selectFrom('withdraw').selectAll().orderBy('id').execute();
    expect(rows.map(({ state }) => state)).toEqual(['unknown', 'unknown', ...states.slice(2)]);
    expect(rows.map(({ open_key }) => open_key)).toEqual(['1:0', '1:1', '1:2', null, null, null]);
    const events = await db.kysely.selectFrom('withdraw_event').selectAll().orderBy('withdraw_id').execute();
    expect(events).toMatchObject([
      { withdraw_id: 'id-0', from_state: 'accepted', to_state: 'unknown' },
      { withdraw_id: 'id-1', from_state: 'sending', to_state: 'unknown' },
    ]);
    expect(await auditRows(db)).toMatchObject([
      { action: 'withdraw.restored', subject_id: 'id-0', reason: 'disk lost' },
      { action: 'withdraw.restored', subject_id: 'id-1', reason: 'disk lost' },
    ]);
    expect(await restored()).toEqual({ marked: [], compare_from });
    const { stdout } = await runCommand(['withdraw', 'restored', '--reason', 'again'], { config });
    expect(stdout).toContain('look up the orders since 2030-01-31T12:59:00+08:00');
  });
});
