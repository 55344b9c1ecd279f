import type { Merge } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import {
  backdate,
  openRecords,
  type Player,
  recordOf,
  startWithdrawApp,
  type WithdrawApp,
  type WithdrawAppOptions,
} from './support/withdraw-app.ts';

const A = 1;
const B = 2;
const settings = { zones: { role_prefix: 's{server_id}.', save_interval: 0 } };

/** Alice has 战神 in both zones, and 剑客 only in A. */
async function startWithRoles(url: string, options: WithdrawAppOptions = {}) {
  const app = await startWithdrawApp(url, { serverIds: [A, B], settings, ...options });
  const [a, b] = app.zones as [WithdrawApp['zone'], WithdrawApp['zone']];
  const alice = await app.player('alice');
  await a.addRole({ account: 'alice', name: '战神', balance: 1000 });
  await a.addRole({ account: 'alice', name: '剑客', balance: 300 });
  await b.addRole({ account: 'alice', name: '战神', balance: 500 });
  await b.addRole({ account: 'bob', name: '路人', balance: 50 });
  return { app, alice, a, b };
}

type Started = Awaited<ReturnType<typeof startWithRoles>>;

/** Merges as an operator does: first the games, then the zones here. */
async function mergeAIntoB({ app, a, b }: Started, merge: Merge) {
  const moved = await b.absorb(a, merge);
  await openZoneAdmin(app).merge({ name: 'otto', via: 'cli' }, { serverId: A, into: B });
  await expect.poll(() => app.service.features.zones.cache.currentId(A)).toBe(B);
  return moved;
}

async function rolesOf({ app }: Started, player: Player, serverId: number) {
  const { body } = await app.get(player, `/api/game/roles?server_id=${serverId}`);
  const roles = body.roles as { role_id: number; name: string; balance: number }[];
  return { roles, named: Object.fromEntries(roles.map(({ name, balance }) => [name, balance])) };
}

const idOf = ({ b }: Started, name: string) =>
  b.roles().find((role) => role.name === name)?.id ?? expect.fail(`no role ${name}`);

/** Withdraws, and returns the name of the role in zone B that the GM command deducted from. */
async function takenFrom({ app, b }: Started, player: Player, body: object): Promise<string> {
  const { body: answer } = await app.withdraw(player, { amount: 10, ...body });
  expect(answer).toMatchObject({ state: 'done', server_id: B });
  const { params } = b.requests.find((each) => each.params.order === answer.withdraw_id) ?? {};
  const [taken] = b.deductions(answer.withdraw_id);
  expect(taken).toMatchObject({ roleId: Number(params?.roleid) });
  expect([params?.serverid, params?.rolename]).toEqual([String(B), b.role(Number(params?.roleid)).name]);
  return params?.rolename ?? '';
}

describeByTier('roles of a merged zone', (engine) => {
  test.each([
    { ids: 'kept', rename: 'all' },
    { ids: 'mapped', rename: 'taken' },
  ] as const)(
    'when ids are $ids and $rename are renamed, then the intended role is found by its old and its new name',
    async (merge) => {
      const started = await startWithRoles(await engine.freshUrl());
      const { app, alice, a, b } = started;
      const before = await app.withdraw(alice, { server_id: A, role: '战神', amount: 100 });
      expect(before.body).toMatchObject({ state: 'done', server_id: A });

      const moved = await mergeAIntoB(started, merge);
      expect(moved.map(({ from, role }) => from === role.id)).toEqual(Array(2).fill(merge.ids === 'kept'));
      expect(a.roles()).toEqual([]);
      const other = merge.rename === 'all' ? 's1.剑客' : '剑客';
      for (const serverId of [A, B])
        expect((await rolesOf(started, alice, serverId)).named).toEqual({
          战神: 500,
          's1.战神': 900,
          [other]: 300,
        });

      const from = (body: object) => takenFrom(started, alice, body);
      // The same name refers to different roles in the old and the new zone.
      expect(
        await Promise.all([from({ server_id: A, role: '战神' }), from({ server_id: B, role: '战神' })]),
      ).toEqual(['s1.战神', '战神']);
      expect(await from({ server_id: B, role: 's1.战神' })).toBe('s1.战神');
      expect(await from({ server_id: A, role: 's1.战神' })).toBe('s1.战神');
      expect(await from({ server_id: A, role: '剑客' })).toBe(other);
      for (const serverId of [A, B])
        expect(await from({ server_id: serverId, role: idOf(started, 's1.战神') })).toBe('s1.战神');
      for (const role of ['s1.路人', '路人', 's2.战神'])
        expect((await app.withdraw(alice, { server_id: A, role, amount: 1 })).body.code).toBe(
          'role_not_found',
        );

      expect((await rolesOf(started, alice, A)).named).toEqual({ 战神: 490, 's1.战神': 850, [other]: 290 });
      const done = await app.db.kysely
        .selectFrom('withdraw')
        .select(({ fn }) => fn.sum<number>('amount').as('sum'))
        .where('state', '=', 'done')
        .executeTakeFirstOrThrow();
      const left = b.roles().reduce((sum, { balance }) => sum + balance, 0);
      expect(left + Number(done.sum)).toBe(1000 + 300 + 500 + 50);
    },
  );

  test('when the process dies after it has accepted a withdrawal under the old zone, then another takes it from the same role', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const started = await startWithRoles(await engine.freshUrl(), {
      onFailpoint: (at) => (at === 'accepted' ? over : undefined),
    });
    onTestFinished(() => resolve());
    const { app, alice, b } = started;
    // A dead process runs no recovery.
    await app.service.features.withdraw.close();
    await mergeAIntoB(started, {});
    void app.withdraw(alice, { server_id: A, role: '战神', amount: 10 }).catch(() => {});
    const { id } = await vi.waitFor(async () => {
      const [open] = await openRecords(app);
      return open ?? expect.fail('not accepted yet');
    }, 40_000);
    await backdate(app, id, 16_000);
    await app.startInstance();
    await expect.poll(async () => (await recordOf(app, id)).state).toBe('done');
    expect(b.deductions(id)).toMatchObject([{ roleId: idOf(started, 's1.战神'), amount: 10 }]);
  });
});
