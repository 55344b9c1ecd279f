import { expect, test } from 'vitest';
import { freshMariadbUrl } from '../../test-support/engines.ts';
import { startProxy } from './db/proxy.ts';
import { addPlayerWithRole, daySum, startWithdrawApp } from './support/withdraw-app.ts';

test('when a commit that used up the day is not confirmed, then the request is still found to be stored', async () => {
  const proxy = await startProxy(await freshMariadbUrl());
  const app = await startWithdrawApp(proxy.url, { settings: { withdraw: { daily_max: 100 } } });
  const { player, body } = await addPlayerWithRole(app);

  // The first to send the name of the role, and not a job that commits at the same time.
  proxy.cutCommitOf('Hero of alice', 'after');
  const answer = await app.withdraw(player, body);

  expect(answer).toMatchObject({ status: 200, body: { state: 'done', amount: 100 } });
  expect(app.zone.deductions()).toHaveLength(1);
  expect(await daySum(app, player)).toBe(100);
  expect((await app.withdraw(player, body)).body.code).toBe('amount_out_of_range');
});
