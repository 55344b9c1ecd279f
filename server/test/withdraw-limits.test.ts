import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { requestLimit } from '../src/features/withdraw/request/request-limit.ts';
import { run } from './support/fresh.ts';
import { addPlayerWithRole, startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';

const statusesOf = async (times: number, ask: () => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let round = 0; round < times; round++) statuses.push((await ask()).status);
  return statuses;
};

const keptOf = async ({ db }: WithdrawApp, playerId: number) =>
  (await db.kysely.selectFrom('withdraw').select('id').where('player_id', '=', playerId).execute()).length;

for (const store of ['memory', 'redis'] as const) {
  test(`when a player lists roles or withdraws too often, then each has its own limit and other players theirs (${store})`, async () => {
    const app = await startWithdrawApp(freshSqlite(), {
      settings: {
        withdraw: { requests_per_minute: 3 },
        ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
      },
    });
    // Redis outlives a test, so the players need unique ids.
    await app.db.kysely
      .insertInto('player')
      .values({ id: parseInt(run, 16), account: 'first' })
      .execute();
    const { player, body } = await addPlayerWithRole(app);
    const other = await addPlayerWithRole(app, 1000, 'bob');
    const small = { ...body, amount: 1 };
    const roles = () => app.get(player, '/api/game/roles?server_id=1');
    expect(await statusesOf(4, roles)).toEqual([200, 200, 200, 429]);
    expect(await statusesOf(4, () => app.withdraw(player, small))).toEqual([200, 200, 200, 429]);
    const refused = await app.withdraw(player, small);
    expect(refused.body.code).toBe('too_many_attempts');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await app.withdraw(other.player, { ...other.body, amount: 1 })).status).toBe(200);
    expect((await app.get(other.player, '/api/game/roles?server_id=1')).status).toBe(200);
    expect((await app.get(player, '/api/game/withdrawals')).status).toBe(200);
  });
}

test('when a request is repeated with its key, immediately or later, then it counts once', async () => {
  const settings = { withdraw: { requests_per_minute: 2 } };
  const app = await startWithdrawApp(freshSqlite(), { settings });
  const { player, body } = await addPlayerWithRole(app);
  const together = await Promise.all(Array.from({ length: 20 }, () => app.withdraw(player, body, 'one')));
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await statusesOf(5, () => app.withdraw(player, body, 'one'))).toEqual(Array(5).fill(200));
  expect((await app.withdraw(player, body, 'two')).status).toBe(200);
  expect((await app.withdraw(player, body, 'three')).status).toBe(429);
});

test('when a request is repeated while the first one is in flight, then the two count once', async () => {
  let hits = 0;
  const limit = requestLimit({
    hit: async () => ({ over: ++hits > 1, retryAfter: 60 }),
    undo: async () => {},
  });
  await Promise.all([limit.admit(1, 'key'), limit.admit(1, 'key')]);
  expect(hits).toBe(1);
  limit.release(1, 'key');
  await expect(limit.admit(1, 'key')).rejects.toMatchObject({ code: 'too_many_attempts' });
});

test('when a request was refused by the limit, then a retry with its key is counted again', async () => {
  let over = true;
  const limit = requestLimit({ hit: async () => ({ over, retryAfter: 60 }), undo: async () => {} });
  const refusals = await Promise.allSettled([limit.admit(1, 'key'), limit.admit(1, 'key')]);
  expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  over = false;
  await limit.admit(1, 'key');
});

describeOnEngines('withdrawals of one player', (engine) => {
  test('when many are refused on a day, then further ones are neither stored nor executed', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: { time_zone: zoneAtNoon(), withdraw: { refused_per_day: 4, requests_per_minute: 1000 } },
    });
    const { player, body } = await addPlayerWithRole(app, 50);
    const poor = () => app.withdraw(player, body);
    expect(await statusesOf(6, poor)).toEqual([422, 422, 422, 422, 429, 429]);
    const refused = await app.withdraw(player, { ...body, amount: 1 });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(refused.body.withdraw_id).toBeUndefined();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect(await keptOf(app, player.id)).toBe(4);

    const other = await addPlayerWithRole(app, 1000, 'bob');
    expect((await app.withdraw(other.player, other.body)).status).toBe(200);
  });

  test('when many conflict with an open one of their role, then the stored ones are limited too', async () => {
    const settled = Promise.withResolvers<void>();
    const app = await startWithdrawApp(await engine.freshUrl(), {
      onFailpoint: (failpoint) => (failpoint === 'held' ? settled.promise : undefined),
      settings: { time_zone: zoneAtNoon(), withdraw: { refused_per_day: 3, requests_per_minute: 1000 } },
    });
    const { player, body } = await addPlayerWithRole(app);
    const open = app.withdraw(player, body);
    await expect.poll(() => keptOf(app, player.id)).toBe(1);
    expect(await statusesOf(5, () => app.withdraw(player, body))).toEqual([409, 409, 409, 429, 429]);
    settled.resolve();
    expect((await open).status).toBe(200);
    expect(await keptOf(app, player.id)).toBe(4);
  });

  test('when the password was reset or the e-mail changed, then withdrawals are held, and the answer says until when', async () => {
    const settings = { withdraw: { hold_after_reset: 3600 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings });
    const { player, body } = await addPlayerWithRole(app);
    expect((await app.withdraw(player, body)).status).toBe(200);
    await app.db.transaction((trx) => app.service.features.account.players.markReset(trx, player.id));
    const held = await app.withdraw(player, body);
    expect(held).toMatchObject({ status: 403, body: { code: 'withdraw_disabled' } });
    const wait = Date.parse(held.body.until) - Date.now();
    expect(wait).toBeGreaterThan(3500_000);
    expect(wait).toBeLessThanOrEqual(3601_000);
    expect(held.body.detail).toContain(held.body.until);
    expect((await app.get(player, '/api/game/roles?server_id=1')).status).toBe(200);
    expect(await keptOf(app, player.id)).toBe(1);

    await app.db.kysely
      .updateTable('player')
      .set(({ eb }) => ({ reset_at: eb('reset_at', '-', 3600_000) }))
      .execute();
    expect((await app.withdraw(player, body)).status).toBe(200);
  });
});

describeOnEngines('the last request of a day', (engine) => {
  test('when it is repeated on two instances while it is stored, then every repetition gets its answer', async () => {
    const settings = { withdraw: { daily_max: 100, requests_per_minute: 100 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings });
    const second = await app.startInstance();
    const { player, body } = await addPlayerWithRole(app);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? app : second).withdraw(player, body, 'last')),
    );
    expect(answers.map(({ status, body: { state } }) => [status, state])).toEqual(
      Array(30).fill([200, 'done']),
    );
    expect(app.zone.deductions()).toHaveLength(1);
  });
});
