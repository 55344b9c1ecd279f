import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import type { Failpoint } from '../src/features/withdraw/process/failpoints.ts';
import {
  addPlayerWithRole,
  daySum,
  eventsOf,
  movesOf,
  openRecords,
  recordOf,
  startWithdrawApp,
} from './support/withdraw-app.ts';

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

describeOnEngines('withdrawals', (engine) => {
  test('when the balance covers it, then the amount is taken once and every transition is recorded', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, role } = await addPlayerWithRole(app);

    const reply = await app.withdraw(player, { server_id: 1, role: role.id, amount: 300 });

    expect(reply.status).toBe(200);
    const { withdraw_id: id, ...rest } = reply.body;
    expect(rest).toEqual({ state: 'done', server_id: 1, role: role.id, amount: 300, balance_after: 700 });
    expect(app.zone.deductions(id)).toMatchObject([{ amount: 300, roleId: role.id }]);
    expect(app.zone.balance(role.id)).toBe(700);
    expect(await recordOf(app, id)).toMatchObject({
      state: 'done',
      open_key: null,
      balance_before: 1000,
      balance_after: 700,
      role_id: role.id,
      role_name: role.name,
    });
    const seqs = (await eventsOf(app, id)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const events = await movesOf(app, id);
    expect(events.map(({ from_state, to_state }) => [from_state, to_state])).toEqual([
      [null, 'accepted'],
      ['accepted', 'accepted'],
      ['accepted', 'sending'],
      ['sending', 'done'],
    ]);
    expect(events[0]?.actor).toBe(`player:${player.id}`);
    expect(JSON.parse(events[3]?.detail ?? '')).toMatchObject({
      asked: { operid: '10030', order: id, amount: '300' },
      status: 200,
      answer: expect.stringContaining('"result":0'),
    });
    expect(await daySum(app, player)).toBe(300);
  });

  test('when fifty requests with one key arrive concurrently, then one deduction is made and all get the same answer', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);

    const replies = await Promise.all(times(50, () => app.withdraw(player, body, 'the-key')));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(app.zone.deductions()).toHaveLength(1);
    expect(await daySum(app, player)).toBe(100);
  });

  test('when fifty requests with fifty keys arrive concurrently, then one is processed and the rest are refused for now', async () => {
    const othersAnswered = Promise.withResolvers<void>();
    const onFailpoint = (failpoint: Failpoint) => (failpoint === 'held' ? othersAnswered.promise : undefined);
    const settings = { withdraw: { requests_per_minute: 50 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { onFailpoint, settings });
    const { player, body } = await addPlayerWithRole(app);
    let answered = 0;
    const withdraw = async (index: number) => {
      const reply = await app.withdraw(player, body, `key-${index}`);
      answered += 1;
      if (answered === 49) othersAnswered.resolve();
      return reply;
    };

    const replies = await Promise.all(times(50, withdraw));

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200);
    expect(others.map(({ status, body: { code } }) => [status, code])).toEqual(
      times(49, () => [409, 'withdraw_in_progress']),
    );
    expect(new Set(others.map((other) => other.body.withdraw_id)).size).toBe(49);
    expect(app.zone.journal()).toHaveLength(1);
    expect(await daySum(app, player)).toBe(100);
    expect(await openRecords(app)).toEqual([]);
  });

  test('when two instances get requests for one role concurrently, by id and by name, then one is processed', async () => {
    const otherAnswered = Promise.withResolvers<void>();
    const onFailpoint = (failpoint: Failpoint) => (failpoint === 'held' ? otherAnswered.promise : undefined);
    const app = await startWithdrawApp(await engine.freshUrl(), { onFailpoint });
    const { player, role } = await addPlayerWithRole(app);
    const second = await app.startInstance(onFailpoint);
    const requests = [
      app.withdraw(player, { server_id: 1, role: role.id, amount: 600 }),
      second.withdraw(player, { server_id: 1, role: role.name, amount: 600 }),
    ];
    await Promise.race(requests);
    otherAnswered.resolve();

    const replies = await Promise.all(requests);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(app.zone.journal()).toHaveLength(1);
    expect(app.zone.balance(role.id)).toBe(400);
  });

  test('when a key is repeated, then every instance answers with the current state', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);
    const first = await app.withdraw(player, body, 'again');
    const second = await app.startInstance();

    expect((await app.withdraw(player, body, 'again')).text).toBe(first.text);
    expect((await second.withdraw(player, body, 'again')).text).toBe(first.text);
    expect(app.zone.deductions()).toHaveLength(1);
  });

  test('when a key is repeated with other parameters, then it is a conflict', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, role, body } = await addPlayerWithRole(app);
    await app.withdraw(player, body, 'mine');

    for (const other of [
      { ...body, amount: 101 },
      { ...body, role: role.id },
      { ...body, server_id: 2 },
    ]) {
      const reply = await app.withdraw(player, other, 'mine');
      expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_conflict']);
    }
    expect(app.zone.journal()).toHaveLength(1);
  });

  test('when two accounts use the same key, then each has its own withdrawal', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const alice = await addPlayerWithRole(app);
    const bob = await addPlayerWithRole(app, 1000, 'bob');

    const replies = [
      await app.withdraw(alice.player, alice.body, 'shared'),
      await app.withdraw(bob.player, bob.body, 'shared'),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body.withdraw_id).not.toBe(replies[1]?.body.withdraw_id);
    expect(app.zone.balance(bob.role.id)).toBe(900);
  });

  test('when no key is given, then each request is separate', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, role, body } = await addPlayerWithRole(app);
    await app.withdraw(player, body);
    await app.withdraw(player, body);
    expect(app.zone.balance(role.id)).toBe(800);
  });

  test('when a request was refused, then its key gets the same refusal, also later', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, role, body } = await addPlayerWithRole(app, 50);
    const first = await app.withdraw(player, body, 'poor');
    expect([first.status, first.body.code]).toEqual([422, 'insufficient_balance']);
    await app.zone.setBalance(role.id, 5000);

    const again = await app.withdraw(player, body, 'poor');

    const { request_id: _, ...refusal } = first.body;
    expect(again.body).toMatchObject(refusal);
    expect(app.zone.requests).toHaveLength(0);
  });

  test('when withdrawals follow each other faster than the game saves, then unsaved ones are subtracted', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { zone: { saveInterval: 300 } });
    const { player, role, body } = await addPlayerWithRole(app, 250);

    const statuses = [];
    for (const _ of times(3, Number)) statuses.push((await app.withdraw(player, body)).status);

    expect(statuses).toEqual([200, 200, 422]);
    expect(app.zone.balance(role.id)).toBe(50);
    expect(app.zone.journal()).toHaveLength(2);
    const { body: list } = await app.get(player, '/api/game/roles?server_id=1');
    expect(list.roles).toEqual([{ role_id: role.id, name: role.name, level: 1, balance: 50 }]);
    const { body: history } = await app.get(player, '/api/game/withdrawals?include=day');
    expect(history.day).toEqual({ used: 200, left: 1_000_000 - 200 });

    // Saved early: the amount is subtracted twice, and reported as `settling`.
    await app.zone.save();
    const { body: saved } = await app.get(player, '/api/game/roles?server_id=1');
    expect(saved.roles).toMatchObject([{ balance: 0, settling: 50 }]);
  });

  test('when the records are paged, then no page repeats or skips one, whatever is added meanwhile', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, role, body } = await addPlayerWithRole(app);
    const ids: string[] = [];
    for (const amount of [1, 2, 3, 4, 5])
      ids.unshift((await app.withdraw(player, { ...body, amount })).body.withdraw_id);

    const first = (await app.get(player, '/api/game/withdrawals?limit=2')).body;
    await app.withdraw(player, { ...body, amount: 6 });
    const second = (await app.get(player, `/api/game/withdrawals?limit=2&next=${first.next}`)).body;
    const third = (await app.get(player, `/api/game/withdrawals?limit=2&next=${second.next}`)).body;

    const pages = [first, second, third].map(({ withdrawals }) => withdrawals);
    expect(pages.flat().map((record) => record.withdraw_id)).toEqual(ids);
    expect(third.next).toBeNull();
    expect(pages[0][0]).toMatchObject({ state: 'done', role: role.name, role_id: role.id, amount: 5 });
    const other = await app.player('bob');
    expect((await app.get(other, '/api/game/withdrawals')).body).toEqual({ withdrawals: [], next: null });
    expect((await app.get(player, '/api/game/withdrawals?next=nonsense')).status).toBe(400);
  });
});
