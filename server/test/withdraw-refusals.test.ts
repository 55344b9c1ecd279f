import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-bench/engines.ts';
import { freePort } from '../../test-bench/process.ts';
import { zoneAtNoon } from '../../test-bench/time-zone.ts';
import type { Failpoint } from '../src/features/withdraw/process/failpoints.ts';
import { clientFrom } from './support/client.ts';
import { daySum, eventsOf, openAccount, openBank, openRecords, recordOf } from './withdraw-bank.ts';

describeOnEngines('a withdrawal that is refused', (engine) => {
  test('when the role is another account’s, then it is as good as none and the game server hears nothing', async () => {
    const bank = await openBank(await engine.freshUrl());
    const { role } = await openAccount(bank);
    const mallory = await bank.player('mallory');
    await bank.zone.addRole({ account: 'mallory', name: 'Decoy', balance: 5 });

    for (const asked of [
      role.id,
      role.name,
      role.name.toLowerCase(),
      `${role.name} `,
      String(role.id),
      0,
      '%',
    ]) {
      const reply = await bank.withdraw(mallory, { server_id: 1, role: asked, amount: 1 });
      expect([asked, reply.status, reply.body.code]).toEqual([asked, 404, 'role_not_found']);
      expect(reply.body.withdraw_id).toEqual(expect.any(String));
    }
    expect(bank.zone.requests).toHaveLength(0);
    expect(await openRecords(bank)).toEqual([]);
    expect(await daySum(bank, mallory)).toBe(0);
  });

  test('when roles of two zones have one name, then only the caller’s own on that zone is touched', async () => {
    const bank = await openBank(await engine.freshUrl(), { serverIds: [1, 2] });
    const [one, two] = bank.zones;
    const alice = await bank.player('alice');
    const onOne = await one?.addRole({ account: 'alice', name: 'Twin', balance: 500 });
    const onTwo = await two?.addRole({ account: 'bob', name: 'Twin', balance: 500 });

    expect((await bank.withdraw(alice, { server_id: 2, role: 'Twin', amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect((await bank.withdraw(alice, { server_id: 2, role: onOne?.id, amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect((await bank.withdraw(alice, { server_id: 1, role: onTwo?.id, amount: 1 })).body.code).toBe(
      'role_not_found',
    );
    expect([...(one?.requests ?? []), ...(two?.requests ?? [])]).toEqual([]);
    expect((await bank.withdraw(alice, { server_id: 1, role: 'Twin', amount: 1 })).status).toBe(200);
    expect(two?.requests).toEqual([]);
  });

  test('when an account differs in case from the game’s, then it is the same; with an accent, it is not', async () => {
    const bank = await openBank(await engine.freshUrl());
    const player = await bank.player('Alice');
    await bank.zone.addRole({ account: 'alice', name: 'Mine', balance: 100 });
    await bank.zone.addRole({ account: 'alicé', name: 'Hers', balance: 100 });

    const { body } = await bank.get(player, '/api/game/roles?server_id=1');

    expect(body.roles.map(({ name }: { name: string }) => name)).toEqual(['Mine']);
  });

  test('when the amount or the zone is no whole number in range, then the form is at fault', async () => {
    const bank = await openBank(await engine.freshUrl());
    const { player, body } = await openAccount(bank);
    const client = clientFrom(bank.url, '198.18.0.2');
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
    expect(bank.zone.requests).toHaveLength(0);
    expect(await bank.db.kysely.selectFrom('withdraw').selectAll().execute()).toEqual([]);
  });

  test('when several things are wrong, then the switch comes first, then the zone, then the amount', async () => {
    const limits = { min: 10, max: 500, failpoint: 5 };
    const off = await openBank(await engine.freshUrl(), {
      settings: { withdraw: { ...limits, enabled: false } },
    });
    const atOff = await openAccount(off);
    expect((await off.withdraw(atOff.player, { ...atOff.body, server_id: 9, amount: 3 })).body.code).toBe(
      'withdraw_disabled',
    );

    const bank = await openBank(await engine.freshUrl(), { settings: { withdraw: limits } });
    const { player, body } = await openAccount(bank);
    const codes = [];
    for (const wrong of [
      { ...body, server_id: 9, amount: 3 },
      { ...body, role: 'nobody', amount: 3 },
      { ...body, role: 'nobody', amount: 505 },
      { ...body, role: 'nobody', amount: 12 },
      { ...body, role: 'nobody', amount: 10 },
    ])
      codes.push((await bank.withdraw(player, wrong)).body.code);
    const outOfRange = 'amount_out_of_range';
    expect(codes).toEqual(['server_not_found', outOfRange, outOfRange, outOfRange, 'role_not_found']);
    expect(bank.zone.requests).toHaveLength(0);
  });

  test('when the zone is in maintenance, not open yet or closed, then it says so', async () => {
    for (const [row, status, code] of [
      [{ status: 'maintenance' }, 503, 'server_closed'],
      [{ opened_at: Date.now() + 3_600_000 }, 503, 'server_closed'],
      [{ status: 'closed' }, 404, 'server_not_found'],
    ] as const) {
      const bank = await openBank(await engine.freshUrl(), { row });
      const { player, body } = await openAccount(bank);
      const reply = await bank.withdraw(player, body);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
      expect((await bank.get(player, '/api/game/roles?server_id=1')).body.code).toBe(code);
      expect(bank.zone.requests).toHaveLength(0);
    }
  });

  test('when many withdraw at once near the day’s maximum, then it is used up exactly', async () => {
    const othersTold = Promise.withResolvers<void>();
    const onFailpoint = (failpoint: Failpoint) => (failpoint === 'accepted' ? othersTold.promise : undefined);
    const settings = { withdraw: { daily_max: 500 }, time_zone: zoneAtNoon() };
    const bank = await openBank(await engine.freshUrl(), { settings, onFailpoint });
    const second = await bank.another(onFailpoint);
    const player = await bank.player('alice');
    const roles = [];
    for (let index = 0; index < 12; index++)
      roles.push(await bank.zone.addRole({ account: 'alice', name: `Role ${index}`, balance: 1000 }));
    let told = 0;

    const replies = await Promise.all(
      roles.map(async ({ id }, index) => {
        const body = { server_id: 1, role: id, amount: 100 };
        const reply = await (index % 2 === 0 ? bank : second).withdraw(player, body);
        told += 1;
        if (told === 7) othersTold.resolve();
        return reply;
      }),
    );

    expect(replies.filter(({ body }) => body.code === 'amount_out_of_range')).toHaveLength(7);
    const done = replies.filter(({ status }) => status === 200).length;
    expect(await daySum(bank, player)).toBe(done * 100);
    expect(bank.zone.deductions()).toHaveLength(done);
  });

  test('when a withdrawal is refused or fails, then the day’s sum is given back', async () => {
    const settings = { withdraw: { daily_max: 100 }, time_zone: zoneAtNoon() };
    const bank = await openBank(await engine.freshUrl(), { settings });
    const { player, role, body } = await openAccount(bank, 50);

    expect((await bank.withdraw(player, body)).body.code).toBe('insufficient_balance');
    await bank.zone.setBalance(role.id, 1000);
    bank.zone.setFaults(['refuse']);
    expect((await bank.withdraw(player, body)).body.code).toBe('deduction_refused');
    expect(await daySum(bank, player)).toBe(0);

    expect((await bank.withdraw(player, body)).status).toBe(200);
    expect((await bank.withdraw(player, body)).body.code).toBe('amount_out_of_range');
  });

  test('when the game database is away, then the answer says so and nothing stays open', async () => {
    const hole = await blackHole();
    for (const gamesUrl of ['sqlite:/nowhere/at/all', `mysql://u:p@127.0.0.1:${await freePort()}`, hole]) {
      const bank = await openBank(await engine.freshUrl(), {
        settings: { zones: { database_url: gamesUrl } },
      });
      const { player, body } = await openAccount(bank);

      const reply = await bank.withdraw(player, body, 'away');

      expect([reply.status, reply.body.code]).toEqual([502, 'game_server_unavailable']);
      expect(await openRecords(bank)).toEqual([]);
      expect((await recordOf(bank, reply.body.withdraw_id)).state).toBe('refused');
      expect((await eventsOf(bank, reply.body.withdraw_id)).at(-1)?.why).toBe('game_server_unavailable');
      expect((await bank.get(player, '/api/game/roles?server_id=1')).status).toBe(502);
      expect(bank.zone.requests).toHaveLength(0);
      expect(await daySum(bank, player)).toBe(0);
    }
  });

  test('when a ban has run out, then its player withdraws again', async () => {
    const bank = await openBank(await engine.freshUrl());
    const { player, body } = await openAccount(bank);
    const ban = (until: number) =>
      bank.db.kysely.updateTable('player').set({ status: 'banned', banned_until: until }).execute();
    await ban(Date.now() + 60_000);
    expect((await bank.withdraw(player, body)).body.code).toBe('account_suspended');
    await ban(Date.now() - 1);
    expect((await bank.withdraw(player, body)).status).toBe(200);
  });

  test('when nobody is logged in, then nothing is told and nothing is taken', async () => {
    const bank = await openBank(await engine.freshUrl());
    const { body } = await openAccount(bank);
    const stranger = clientFrom(bank.url, '198.18.0.3');
    expect((await stranger.post('/api/game/withdraw', body)).status).toBe(401);
    expect((await stranger.get('/api/game/roles?server_id=1')).status).toBe(401);
    expect((await stranger.get('/api/game/withdrawals')).status).toBe(401);
    expect(bank.zone.requests).toHaveLength(0);
  });
});

/** Takes connections and never says a word. */
async function blackHole(): Promise<string> {
  const port = await freePort();
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `mysql://u:p@127.0.0.1:${port}`;
}
