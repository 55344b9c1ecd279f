import { expect, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import { Refusal } from '../src/refusal.ts';
import { auditRows } from './support/audit.ts';
import { type Player, startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';

const actor = { name: 'otto', via: 'cli' } as const;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const merge = ({ db }: Pick<WithdrawApp, 'db'>, serverId: number, into: number, dryRun = false) =>
  openZoneAdmin({ db })
    .merge(actor, { serverId, into, dryRun })
    .catch((error) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    });

const knows = ({ service }: Pick<WithdrawApp, 'service'>, serverId: number, current: number) =>
  expect.poll(() => service.features.zones.cache.currentId(serverId)).toBe(current);

/** Adds a player with a role of the same name in each zone. */
async function playerOnEach(app: WithdrawApp, account: string) {
  const player = await app.player(account);
  for (const zone of app.zones) await zone.addRole({ account, name: `Hero of ${account}`, balance: 1000 });
  return { player, body: (server_id: number) => ({ server_id, role: `Hero of ${account}`, amount: 100 }) };
}

const enter = ({ url }: WithdrawApp, { token }: Player, server_id: number) =>
  fetch(`${url}/api/enter_game`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ server_id }),
  }).then((answer) => answer.json());

describeOnEngines('merging zones', (engine) => {
  test('when a zone is merged, then its players act on the other one, and existing records stay', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { serverIds: [1, 2, 3] });
    const { player, body } = await playerOnEach(app, 'alice');
    await enter(app, player, 1);
    const first = await app.withdraw(player, body(1), 'before');
    expect(first.body).toMatchObject({ state: 'done', server_id: 1 });

    expect(await merge(app, 1, 1)).toBe('invalid_request');
    expect(await merge(app, 9, 2)).toBe('server_not_found');
    expect(await merge(app, 1, 9)).toBe('server_not_found');
    expect(await merge(app, 1, 2, true)).toEqual({
      players: 1,
      withdrawals: 1,
      openWithdrawals: 0,
      auditId: null,
    });
    expect(await auditRows(app.db)).toEqual([]);
    expect(await merge(app, 1, 2)).toMatchObject({ auditId: expect.any(String) });
    expect(await merge(app, 1, 3)).toBe('already_bound');
    expect(await merge(app, 2, 1)).toBe('already_bound');
    // The chain is followed to its end.
    await merge(app, 2, 3);
    expect(await merge(app, 3, 1)).toBe('already_bound');
    await knows(app, 1, 3);
    expect((await auditRows(app.db))[0]).toMatchObject({
      action: 'zone.merge',
      subject_id: '1',
      server_id: 1,
    });

    const list = await app.get(player, '/api/server/list');
    expect(list.body.servers.map((zone: { server_id: number }) => zone.server_id)).toEqual([3]);
    const origin = { server_id: 3, origin_server_id: 1 };
    expect(await enter(app, player, 1)).toMatchObject({ ...origin, server: { ...origin, name: 'Zone 3' } });
    expect(await enter(app, player, 3)).not.toHaveProperty('origin_server_id');
    const { body: roles } = await app.get(player, '/api/game/roles?server_id=1');
    expect(roles).toEqual({ roles: [expect.objectContaining({ name: 'Hero of alice' })], ...origin });
    const { body: own } = await app.get(player, '/api/game/roles?server_id=3');
    expect(Object.keys(own)).toEqual(['roles']);

    const moved = await app.withdraw(player, body(1), 'after');
    expect(moved.body).toMatchObject({ state: 'done', ...origin });
    expect((await app.withdraw(player, body(1), 'after')).body).toEqual(moved.body);
    expect(app.zones.map((zone) => zone.deductions().length)).toEqual([1, 0, 1]);
    expect((await app.withdraw(player, body(1), 'before')).body).toEqual(first.body);
    const { body: history } = await app.get(player, '/api/game/withdrawals');
    expect(history.withdrawals.map((each: { server_id: number }) => each.server_id)).toEqual([3, 1]);
  });

  test('when a withdrawal is open, or is accepted at the moment of the merge, then none of the merged zone is missed', async () => {
    let held: { at: string; release: () => void } | undefined;
    let holdAt: string | undefined;
    const app = await startWithdrawApp(await engine.freshUrl(), {
      serverIds: [1, 2],
      onFailpoint(failpoint) {
        if (failpoint !== holdAt) return;
        holdAt = undefined;
        return new Promise((release) => {
          held = { at: failpoint, release };
        });
      },
    });
    const { player, body } = await playerOnEach(app, 'alice');
    const { player: other, body: otherBody } = await playerOnEach(app, 'bob');

    async function hold(failpoint: string, reply: () => ReturnType<WithdrawApp['withdraw']>) {
      holdAt = failpoint;
      const answer = reply();
      const { release } = await vi.waitFor(() => held ?? expect.fail(`not at ${failpoint} yet`), 40_000);
      held = undefined;
      return { answer, release };
    }
    const open = await hold('accepted', () => app.withdraw(player, body(1)));
    expect(await merge(app, 1, 2)).toBe('zone_has_open_withdrawals');
    expect(await merge(app, 1, 2, true)).toMatchObject({ openWithdrawals: 1 });
    open.release();
    expect((await open.answer).body).toMatchObject({ state: 'done', server_id: 1 });

    // This one was checked before the merge and is accepted after it.
    const late = await hold('requested', () => app.withdraw(other, otherBody(1)));
    expect(await merge(app, 1, 2)).toMatchObject({ openWithdrawals: 0 });
    late.release();
    const answer = await late.answer;
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    const rows = await app.db.kysely.selectFrom('withdraw').select('server_id').execute();
    expect(rows).toEqual([{ server_id: 1 }]);
    await knows(app, 1, 2);
    expect((await app.withdraw(other, otherBody(1))).body).toMatchObject({ state: 'done', server_id: 2 });
  });

  test('when many withdraw on two instances while the zone is being merged, then each belongs to one of the two zones', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { serverIds: [1, 2] });
    const instances = [app, await app.startInstance()];
    const people = await Promise.all(times(6, (index) => playerOnEach(app, `racer${index}`)));
    const race = () =>
      people.map(({ player, body }, index) =>
        instances[index % 2]?.withdraw(player, { ...body(1), amount: 1 }),
      );
    // Start over if a withdrawal came first.
    for (let outcome: unknown = 'zone_has_open_withdrawals'; typeof outcome === 'string'; ) {
      const first = race();
      outcome = await merge(app, 1, 2);
      await Promise.all([...first, ...race()]);
    }

    const [{ at } = { at: 0 }] = await auditRows(app.db);
    const last = await app.db.kysely
      .selectFrom('withdraw')
      .innerJoin('withdraw_event', 'withdraw_event.withdraw_id', 'withdraw.id')
      .select(({ fn }) => [fn.max('withdraw_event.at').as('at')])
      .where('server_id', '=', 1)
      .where('withdraw.result_code', 'is', null)
      .executeTakeFirstOrThrow();
    expect(Number(last.at)).toBeLessThanOrEqual(at);
    const rows = await app.db.kysely.selectFrom('withdraw').select(['server_id', 'state']).execute();
    expect(rows.filter(({ state }) => !['done', 'refused'].includes(state))).toEqual([]);
    for (const [index, zone] of app.zones.entries())
      expect(zone.deductions()).toHaveLength(
        rows.filter(({ server_id, state }) => server_id === index + 1 && state === 'done').length,
      );
  });

  test('when two zones are merged into each other concurrently, then one of the two merges is refused', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { serverIds: [1, 2] });
    const second = await app.startInstance();
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all([merge(app, 1, 2), merge(second.service, 2, 1)]);
      expect(outcomes.filter((outcome) => outcome === 'already_bound')).toHaveLength(1);
      await app.db.kysely.updateTable('server').set({ merged_into: null }).execute();
    }
  });
});
