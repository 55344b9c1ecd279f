import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { codeAt, moveClock, stopClock, turnOn } from './support/totp.ts';
import { addPlayerWithRole, startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';

const WRONG = { status: 401, body: { code: 'invalid_credentials' } };
const MISSING = { status: 401, body: { code: 'second_factor_required' } };

const rows = ({ db }: WithdrawApp) => db.kysely.selectFrom('withdraw').select(['id', 'state']).execute();
const days = ({ db }: WithdrawApp) => db.kysely.selectFrom('withdraw_day').selectAll().execute();

/** Enough for every request of a test. */
const withdraw = { requests_per_minute: 1000 };

describeByTier('withdrawals of players with two-factor login', (engine) => {
  test('when the code is missing, wrong or used, then nothing is written; a repeated key needs none', async () => {
    stopClock();
    const app = await startWithdrawApp(await engine.freshUrl(), { settings: { withdraw } });
    const { player, role, body } = await addPlayerWithRole(app);
    const { secret, recovery } = await turnOn(app.from('198.18.0.1'), player.token);
    const take = (code?: string, key?: string) =>
      app.withdraw(player, { ...body, ...(code && { code }) }, key);

    expect(await take()).toMatchObject(MISSING);
    expect(await take(undefined, 'first')).toMatchObject(MISSING);
    for (const code of ['000000', await codeAt(secret, -30), await codeAt(secret, 60), 'aaaa-bbbb'])
      expect(await take(code, 'first')).toMatchObject(WRONG);
    expect(await rows(app)).toEqual([]);
    expect(await days(app)).toEqual([]);
    expect(app.zone.balance(role.id)).toBe(1000);

    const code = await codeAt(secret);
    const done = await take(code, 'first');
    expect(done).toMatchObject({ status: 200, body: { state: 'done', balance_after: 900 } });
    for (const again of [undefined, code, '000000'])
      expect(await take(again, 'first')).toMatchObject({ status: 200, body: done.body });
    const other = await app.withdraw(player, { ...body, amount: 200 }, 'first');
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_conflict' } });
    expect(await take(code)).toMatchObject(WRONG);
    expect(await take(String(recovery[0]))).toMatchObject({ status: 200 });
    expect(await take(String(recovery[0]))).toMatchObject(WRONG);
    expect(app.zone.balance(role.id)).toBe(800);
    expect(await rows(app)).toHaveLength(2);

    for (let wrong = 6; wrong < 10; wrong++) expect(await take('000001')).toMatchObject(WRONG);
    const late = await take(String(recovery[1]));
    expect(late).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(await rows(app)).toHaveLength(2);
  });

  test('when one request arrives many times concurrently on two instances, then its one code is enough for one withdrawal', async () => {
    stopClock();
    const app = await startWithdrawApp(await engine.freshUrl(), { settings: { withdraw } });
    const second = await app.startInstance();
    const { player, role, body } = await addPlayerWithRole(app);
    const { secret, recovery } = await turnOn(app.from('198.18.0.1'), player.token);
    moveClock(2);
    const request = { ...body, code: await codeAt(secret) };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? app : second).withdraw(player, request, 'the-same'),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((each) => each.body.withdraw_id)).size).toBe(1);
    expect(app.zone.balance(role.id)).toBe(900);

    const both = await Promise.all(
      [app, second].map((each) => each.withdraw(player, { ...body, code: recovery[0] })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(app.zone.balance(role.id)).toBe(800);
  });

  test('when the role has an open withdrawal, then a second one is not even stored as refused without the code', async () => {
    stopClock();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: { withdraw },
      onFailpoint: async (name) => {
        if (name !== 'accepted') return;
        held();
        await released;
      },
    });
    const second = await app.startInstance();
    const { player, body } = await addPlayerWithRole(app);
    const { recovery } = await turnOn(app.from('198.18.0.1'), player.token);
    const first = app.withdraw(player, { ...body, code: recovery[0] });
    await isHeld;
    expect(await second.withdraw(player, body)).toMatchObject(MISSING);
    expect(await second.withdraw(player, { ...body, code: recovery[0] })).toMatchObject(WRONG);
    expect(await rows(app)).toHaveLength(1);
    const refused = await second.withdraw(player, { ...body, code: recovery[1] });
    expect(refused).toMatchObject({ status: 409, body: { code: 'withdraw_in_progress' } });
    expect(await rows(app)).toHaveLength(2);
    release();
    expect((await first).status).toBe(200);
  });
});
