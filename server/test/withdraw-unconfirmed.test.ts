import { expect, inject, test } from 'vitest';
import { createDatabase } from '../../test-bench/mariadb.ts';
import { startProxy } from './db/proxy.ts';
import { daySum, openAccount, openBank } from './withdraw-bank.ts';

test('when a commit is not confirmed and used up the day, then the request is still found to be kept', async () => {
  const proxy = await startProxy(await createDatabase(inject('mariadbUrl')));
  const bank = await openBank(proxy.url, { settings: { withdraw: { daily_max: 100 } } });
  const { player, body } = await openAccount(bank);

  proxy.cutAt('COMMIT', 'after');
  const answer = await bank.withdraw(player, body);

  expect(answer).toMatchObject({ status: 200, body: { state: 'done', amount: 100 } });
  expect(bank.zone.deductions()).toHaveLength(1);
  expect(await daySum(bank, player)).toBe(100);
  expect((await bank.withdraw(player, body)).body.code).toBe('amount_out_of_range');
});
