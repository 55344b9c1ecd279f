import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { freshMariadbUrl } from '../../test-support/engines.ts';
import { openDatabase } from '../src/db/open.ts';
import { startProxy } from './db/proxy.ts';
import { addPlayerWithRole, daySum, recordOf, startWithdrawApp } from './support/withdraw-app.ts';

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

test('when the database is lost with the answer to a commit, then the refusal names the withdrawal and does not deny it', async () => {
  const databaseUrl = await freshMariadbUrl();
  const proxy = await startProxy(databaseUrl);
  const app = await startWithdrawApp(proxy.url);
  const { player, body } = await addPlayerWithRole(app);

  void proxy.stopAtCommitOf('Hero of alice', 'after');
  const answer = await app.withdraw(player, body);

  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.close());
  const stored = await db.kysely.selectFrom('withdraw').select(['id', 'state']).execute();
  expect(stored).toEqual([{ id: answer.body.withdraw_id, state: 'accepted' }]);
  expect(answer.body.detail).toMatch(/not certain/);
});

test.each([
  ['after', 'failed'],
  ['before', 'refused'],
] as const)(
  'when the database is lost %s the commit of a claim, then the withdrawal is %s, because nothing was sent',
  async (moment, state) => {
    const proxy = await startProxy(await freshMariadbUrl());
    const app = await startWithdrawApp(proxy.url);
    const { player, body } = await addPlayerWithRole(app);

    const stopped = proxy.stopAtCommitOf('claimed', moment);
    const answering = app.withdraw(player, body);
    await stopped;
    const { file } = app.settings.log as { file: string };
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('the claim was not confirmed');
    await proxy.start();

    const answer = await answering;
    expect(answer.body).toMatchObject({ code: 'game_server_unavailable' });
    expect((await recordOf(app, answer.body.withdraw_id)).state).toBe(state);
    expect(app.zone.requests).toHaveLength(0);
    expect(await daySum(app, player)).toBe(0);
  },
);
