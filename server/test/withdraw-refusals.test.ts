import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort } from '../../test-support/process.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import type { Failpoint } from '../src/features/withdraw/process/failpoints.ts';
import { clientFrom } from './support/client.ts';
import { startSilentServer } from './support/silent-server.ts';
import {
  addPlayerWithRole,
  daySum,
  eventsOf,
  openRecords,
  recordOf,
  startWithdrawApp,
} from './support/withdraw-app.ts';

describeByTier('a refused withdrawal', (engine) => {
  test('when the role is another account’s, then it counts as unknown and the game server is not called', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { role } = await addPlayerWithRole(app);
    const mallory = await app.player('mallory');
    await app.zone.addRole({ account: 'mallory', name: 'Decoy', balance: 5 });

    for (const otherRole of [
      role.id,
      role.name,
      role.name.toLowerCase(),
      `${role.name} `,
      String(role.id),
      0,
      '%',
    ]) {
      const reply = await app.withdraw(mallory, { server_id: 1, role: otherRole, amount: 1 });
      expect([otherRole, reply.status, reply.body.code]).toEqual([otherRole, 404, 'role_not_found']);
      expect(reply.body.withdraw_id).toEqual(expect.any(String));
    }
    expect(app.zone.requests).toHaveLength(0);
    expect(await openRecords(app)).toEqual([]);
    expect(await daySum(app, mallory)).toBe(0);
  });

  test('when roles of two zones share a name, then only the caller’s own in that zone is touched', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { serverIds: [1, 2] });
    const [one, two] = app.zones;
    const alice = await app.player('alice');
    const onOne = await one?.addRole({ account: 'alice', name: 'Twin', balance: 500 });
    const onTwo = await two?.addRole({ account: 'bob', name: 'Twin', balance: 500 });

    expect((await app.withdraw(alice, { server_id: 2, role: 'Twin', amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect((await app.withdraw(alice, { server_id: 2, role: onOne?.id, amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect((await app.withdraw(alice, { server_id: 1, role: onTwo?.id, amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect([...(one?.requests ?? []), ...(two?.requests ?? [])]).toEqual([]);
    expect((await app.withdraw(alice, { server_id: 1, role: 'Twin', amount: 1 })).status).toBe(200);
    expect(two?.requests).toEqual([]);
  });

  test('when an account differs in case from the game’s, then it is the same; with an accent, it is not', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const player = await app.player('Alice');
    await app.zone.addRole({ account: 'alice', name: 'Mine', balance: 100 });
    await app.zone.addRole({ account: 'alicé', name: 'Hers', balance: 100 });

    const { body } = await app.get(player, '/api/game/roles?server_id=1');

    expect(body.roles.map(({ name }: { name: string }) => name)).toEqual(['Mine']);
  });

  test('when the amount or the zone is not an integer in range, then the request is invalid', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);
    const client = clientFrom(app.url, '198.18.0.2');
    const amounts = [
      '0',
      '-1',
      '1.5',
      '1e400',
      '9007199254740993',
      '"5"',
      'null',
      'true',
      '[7]',
      '{}',
      '1e-3',
      '""',
    ];
    const servers = [
      '0',
      '-1',
      '1.5',
      '"1"',
      '"1; drop table actors"',
      'null',
      '[1]',
      '9007199254740993',
      '2147483648',
    ];
    const send = (json: string) =>
      client.send('POST', '/api/game/withdraw', {
        token: player.token,
        headers: { 'content-type': 'application/json' },
        body: json,
      });

    for (const amount of amounts) {
      const reply = await send(`{"server_id":1,"role":${JSON.stringify(body.role)},"amount":${amount}}`);
      expect([amount, reply.status, reply.body.code]).toEqual([amount, 400, 'invalid_request']);
    }
    for (const server of servers) {
      const reply = await send(`{"server_id":${server},"role":${JSON.stringify(body.role)},"amount":1}`);
      expect([server, reply.status, reply.body.code]).toEqual([server, 400, 'invalid_request']);
    }
    expect((await send('{"server_id":1,"role":{"$gt":""},"amount":1}')).status).toBe(400);
    expect((await send('{"server_id":1,"role":1.5,"amount":1}')).status).toBe(400);
    expect((await send(`{"server_id":1,"role":"x","amount":1,"state":"done"}`)).status).toBe(400);
    expect(app.zone.requests).toHaveLength(0);
    expect(await app.db.kysely.selectFrom('withdraw').selectAll().execute()).toEqual([]);
  });

  test('when several things are wrong, then the switch is checked first, then the zone, then the amount', async () => {
    const limits = { min: 10, max: 500, step: 5 };
    const off = await startWithdrawApp(await engine.freshUrl(), {
      settings: { withdraw: { ...limits, enabled: false } },
    });
    const atOff = await addPlayerWithRole(off);
    expect((await off.withdraw(atOff.player, { ...atOff.body, server_id: 9, amount: 3 })).body.code).toBe(
      'withdraw_disabled',
    );

    const app = await startWithdrawApp(await engine.freshUrl(), { settings: { withdraw: limits } });
    const { player, body } = await addPlayerWithRole(app);
    const codes = [];
    for (const wrong of [
      { ...body, server_id: 9, amount: 3 },
      { ...body, role: 'nobody', amount: 3 },
      // Fits the step, so that only the minimum refuses it.
      { ...body, role: 'nobody', amount: 5 },
      { ...body, role: 'nobody', amount: 505 },
      { ...body, role: 'nobody', amount: 12 },
      { ...body, role: 'nobody', amount: 10 },
      { ...body, role: 'nobody', amount: 500 },
    ])
      codes.push((await app.withdraw(player, wrong)).body.code);
    const outOfRange = 'amount_out_of_range';
    expect(codes).toEqual([
      'server_not_found',
      outOfRange,
      outOfRange,
      outOfRange,
      outOfRange,
      'role_not_found',
      'role_not_found',
    ]);
    expect(app.zone.requests).toHaveLength(0);
  });

  test('when the zone is in maintenance, not open yet or closed, then it says so', async () => {
    for (const [row, status, code] of [
      [{ status: 'maintenance' }, 503, 'server_closed'],
      [{ opened_at: Date.now() + 3_600_000 }, 503, 'server_closed'],
      [{ status: 'closed' }, 404, 'server_not_found'],
    ] as const) {
      const app = await startWithdrawApp(await engine.freshUrl(), { row });
      const { player, body } = await addPlayerWithRole(app);
      const reply = await app.withdraw(player, body);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
      expect((await app.get(player, '/api/game/roles?server_id=1')).body.code).toBe(code);
      expect(app.zone.requests).toHaveLength(0);
    }
  });

  test('when many withdraw concurrently near the day’s maximum, then it is used up exactly', async () => {
    const othersAnswered = Promise.withResolvers<void>();
    const onFailpoint = (failpoint: Failpoint) =>
      failpoint === 'accepted' ? othersAnswered.promise : undefined;
    const settings = { withdraw: { daily_max: 500 }, time_zone: zoneAtNoon() };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, onFailpoint });
    const second = await app.startInstance(onFailpoint);
    const player = await app.player('alice');
    const roles = [];
    for (let index = 0; index < 12; index++)
      roles.push(await app.zone.addRole({ account: 'alice', name: `Role ${index}`, balance: 1000 }));
    let answered = 0;

    const replies = await Promise.all(
      roles.map(async ({ id }, index) => {
        const body = { server_id: 1, role: id, amount: 100 };
        const reply = await (index % 2 === 0 ? app : second).withdraw(player, body);
        answered += 1;
        if (answered === 7) othersAnswered.resolve();
        return reply;
      }),
    );

    expect(replies.filter(({ body }) => body.code === 'amount_out_of_range')).toHaveLength(7);
    const done = replies.filter(({ status }) => status === 200).length;
    expect(await daySum(app, player)).toBe(done * 100);
    expect(app.zone.deductions()).toHaveLength(done);
  });

  test('when a withdrawal is refused or fails, then the day’s sum is reduced again', async () => {
    const settings = { withdraw: { daily_max: 100 }, time_zone: zoneAtNoon() };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings });
    const { player, role, body } = await addPlayerWithRole(app, 50);

    expect((await app.withdraw(player, body)).body.code).toBe('insufficient_balance');
    await app.zone.setBalance(role.id, 1000);
    app.zone.setFaults(['refuse']);
    expect((await app.withdraw(player, body)).body.code).toBe('deduction_refused');
    expect(await daySum(app, player)).toBe(0);

    expect((await app.withdraw(player, body)).status).toBe(200);
    expect((await app.withdraw(player, body)).body.code).toBe('amount_out_of_range');
  });

  test('when the game database is unavailable, then the answer says so and nothing stays open', async () => {
    const { url: silent } = await startSilentServer();
    for (const gamesUrl of ['sqlite:/nowhere/at/all', `mysql://u:p@127.0.0.1:${await freePort()}`, silent]) {
      const app = await startWithdrawApp(await engine.freshUrl(), {
        settings: { zones: { database_url: gamesUrl } },
      });
      const { player, body } = await addPlayerWithRole(app);

      const reply = await app.withdraw(player, body, 'away');

      expect([reply.status, reply.body.code]).toEqual([502, 'game_server_unavailable']);
      expect(await openRecords(app)).toEqual([]);
      expect((await recordOf(app, reply.body.withdraw_id)).state).toBe('refused');
      expect((await eventsOf(app, reply.body.withdraw_id)).at(-1)?.why).toBe('game_server_unavailable');
      expect((await app.get(player, '/api/game/roles?server_id=1')).status).toBe(502);
      expect(app.zone.requests).toHaveLength(0);
      expect(await daySum(app, player)).toBe(0);
    }
  });

  test('when a ban has expired, then its player can withdraw again', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);
    const ban = (until: number) =>
      app.db.kysely.updateTable('player').set({ status: 'banned', banned_until: until }).execute();
    await ban(Date.now() + 60_000);
    expect((await app.withdraw(player, body)).body.code).toBe('account_suspended');
    await ban(Date.now() - 1);
    expect((await app.withdraw(player, body)).status).toBe(200);
  });

  test('when no player is logged in, then nothing is shown and nothing is taken', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { body } = await addPlayerWithRole(app);
    const stranger = clientFrom(app.url, '198.18.0.3');
    expect((await stranger.post('/api/game/withdraw', body)).status).toBe(401);
    expect((await stranger.get('/api/game/roles?server_id=1')).status).toBe(401);
    expect((await stranger.get('/api/game/withdrawals')).status).toBe(401);
    expect(app.zone.requests).toHaveLength(0);
  });
});
