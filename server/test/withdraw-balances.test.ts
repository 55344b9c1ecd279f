import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort } from '../../test-support/process.ts';
import type { Db } from '../src/db/open.ts';
import { makeOperator } from './support/operator.ts';
import { startSilentServer } from './support/silent-server.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';
import { addUnknown } from './support/withdraw-rows.ts';

const settings = { console: { require_totp: false } };

const enters = ({ kysely }: Db, player_id: number, ...zones: number[]) =>
  kysely
    .insertInto('player_zone')
    .values(zones.map((server_id) => ({ player_id, server_id })))
    .execute();

/** Gives a zone its own game database. */
const moveGame = ({ kysely }: Db, server_id: number, database_url: string) =>
  kysely.updateTable('server').set({ database_url }).where('server_id', '=', server_id).execute();

describeByTier('balances for operators', (engine) => {
  test('when a player has roles in zones, then operators see those of their zones with balances', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, serverIds: [1, 2, 3] });
    const { player, role } = await addPlayerWithRole(app, 700);
    const second = await app.zones[1]?.addRole({ account: 'alice', name: 'Second', balance: 20 });
    // Of another player, and in a zone that the player has not entered.
    await app.zone.addRole({ account: 'bob', name: 'Bob', balance: 5 });
    await app.zones[2]?.addRole({ account: 'alice', name: 'Third', balance: 9 });
    await enters(app.db, player.id, 2, 1);
    const boss = await makeOperator(app);
    const path = `players/${player.id}/roles`;

    const first = { server_id: 1, role_id: role.id, name: role.name, level: role.level, balance: 700 };
    const other = { server_id: 2, role_id: second?.id, name: 'Second', level: second?.level, balance: 20 };
    expect((await boss.get(path)).body).toEqual({ roles: [first, other], unavailable: [] });
    const ann = await makeOperator(app, { name: 'ann', role: 'support', zones: [2, 3] });
    expect((await ann.get(path)).body).toEqual({ roles: [other], unavailable: [] });

    const wei = await makeOperator(app, { name: 'wei', role: 'viewer', zones: [3] });
    const unknown = [await wei.get(path), await boss.get('players/999/roles')];
    expect(unknown.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'account_not_found'],
      [404, 'account_not_found'],
    ]);
    for (const bad of ['0', '-1', 'x', '9007199254740993'])
      expect((await boss.get(`players/${bad}/roles`)).status).toBe(400);
    const stranger = app.from('198.18.0.9');
    expect((await stranger.get(`/api/admin/${path}`)).status).toBe(401);
    expect((await app.get(player, `/api/admin/${path}`)).status).toBe(401);
  });

  test('when zones are down or silent, then they are named and the roles of the others are shown', async () => {
    const hosts = { zones: { allowed_hosts: ['127.0.0.1'] } };
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: { ...settings, ...hosts },
      serverIds: [1, 2, 3],
    });
    const { player } = await addPlayerWithRole(app, 700);
    await enters(app.db, player.id, 1, 2, 3);
    const { url: silent } = await startSilentServer();
    await moveGame(app.db, 2, `mysql://u:p@127.0.0.1:${await freePort()}`);
    await moveGame(app.db, 3, silent);
    await addUnknown(app.db, 'w-away', { player_id: player.id, server_id: 2, role_id: 1 });
    await addUnknown(app.db, 'w-silent', { player_id: player.id, server_id: 3, role_id: 1 });
    const boss = await makeOperator(app);

    const { status, body } = await boss.get(`players/${player.id}/roles`);
    expect([status, body.unavailable.toSorted()]).toEqual([200, [2, 3]]);
    expect(body.roles).toMatchObject([{ server_id: 1, balance: 700 }]);
    for (const id of ['w-away', 'w-silent']) {
      const { status, body } = await boss.get(`withdrawals/${id}/balance`);
      expect([id, status, body.code]).toEqual([id, 502, 'game_server_unavailable']);
    }
  });

  test('when a withdrawal is checked, then the balance is the one that the game has saved now', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, serverIds: [1, 2] });
    const { player, role, body } = await addPlayerWithRole(app, 700);
    const { body: done } = await app.withdraw(player, body);
    await addUnknown(app.db, 'w-gone', { player_id: player.id, role_id: role.id + 77 });
    await addUnknown(app.db, 'w-unread', { player_id: player.id, role_id: null });
    await addUnknown(app.db, 'w-removed', { player_id: player.id, server_id: 9, role_id: role.id });
    const boss = await makeOperator(app);
    const balanceOf = async (id: string) => (await boss.get(`withdrawals/${id}/balance`)).body;

    await expect.poll(() => balanceOf(done.withdraw_id)).toMatchObject({ balance: 600 });
    // Not entered through this service, but withdrawn from.
    expect((await boss.get(`players/${player.id}/roles`)).body.roles).toMatchObject([{ balance: 600 }]);
    const { at } = await balanceOf(done.withdraw_id);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    for (const id of ['w-gone', 'w-unread', 'w-removed'])
      expect(await balanceOf(id)).toEqual({ balance: null, at: expect.any(String) });

    const path = `withdrawals/${done.withdraw_id}/balance`;
    const ann = await makeOperator(app, { name: 'ann', role: 'finance', zones: [2] });
    const unknown = [await ann.get(path), await boss.get('withdrawals/nothing/balance')];
    expect(unknown.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'withdraw_not_found'],
      [404, 'withdraw_not_found'],
    ]);
    expect((await app.get(player, `/api/admin/${path}`)).status).toBe(401);
  });
});
