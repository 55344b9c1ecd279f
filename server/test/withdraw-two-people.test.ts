import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { auditRows } from './support/audit.ts';
import { configOf } from './support/cli-config.ts';
import type { Reply } from './support/client.ts';
import {
  cookieIn,
  keyClient,
  makeOperator,
  OPERATOR_PASSWORD,
  type OperatorClient,
  operatorClient,
} from './support/operator.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';
import { addUnknown, dayAmount } from './support/withdraw-rows.ts';

const settings = { console: { require_totp: false }, withdraw: { two_person_above: 100 } };
const DAY = '2030-01-01';

type Word = 'done' | 'failed';
const settle = (operator: OperatorClient, id: string, state: Word) =>
  operator.post(`withdrawals/${id}/settle`, { state, reason: `${operator.name} says ${state}` });
const codes = (replies: readonly Reply[]) => replies.map(({ status, body }) => body.code ?? status).sort();
const count = (replies: readonly Reply[], code: string | number) =>
  codes(replies).filter((each) => each === code).length;

async function rowsOf(app: Pick<TestApp, 'db'>, id: string) {
  const rows = (await auditRows(app.db)).filter(({ subject_id }) => subject_id === id);
  return rows.map(({ actor, action, before, after }) => ({
    actor,
    action,
    before: JSON.parse(before ?? '{}'),
    after: JSON.parse(after ?? '{}'),
  }));
}

const stateOf = async ({ db }: Pick<TestApp, 'db'>, id: string) =>
  (await db.kysely.selectFrom('withdraw').select('state').where('id', '=', id).executeTakeFirstOrThrow())
    .state;

describeByTier('a large withdrawal', (engine) => {
  test('when one operator settles it, then it is a proposal, and the same decision of another settles it', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const [ann, bob] = [await makeOperator(app, { name: 'ann' }), await makeOperator(app, { name: 'bob' })];
    await addUnknown(app.db, 'small', { amount: 99 });
    await addUnknown(app.db, 'large');
    expect((await settle(ann, 'small', 'done')).status).toBe(200);

    const proposed = await settle(ann, 'large', 'done');
    expect([proposed.status, proposed.body]).toEqual([
      202,
      {
        state: 'unknown',
        proposed: { state: 'done', by: 'ann', at: expect.any(String) },
        audit_id: expect.any(String),
      },
    ]);
    const shown = (await bob.get('withdrawals/large')).body;
    expect(shown).toMatchObject({ state: 'unknown', two_person: true, proposed: proposed.body.proposed });
    expect(shown.events).toMatchObject([
      { from_state: 'unknown', to_state: 'unknown', why: 'proposed: done', actor: 'operator:ann' },
    ]);

    const again = await settle(ann, 'large', 'done');
    expect([again.status, again.body.code]).toEqual([409, 'second_person_required']);
    expect(await rowsOf(app, 'large')).toHaveLength(1);

    // A different state, from any operator, is not a confirmation: it replaces the proposal.
    for (const [who, word] of [
      [bob, 'failed'],
      [bob, 'done'],
      [ann, 'failed'],
    ] as const) {
      expect((await settle(who, 'large', word)).body.code).toBe('second_person_required');
      expect((await bob.get('withdrawals?state=unknown')).body.withdrawals[0].proposed).toMatchObject({
        state: word,
        by: who.name,
      });
    }
    expect((await settle(ann, 'large', 'failed')).body.code).toBe('second_person_required');
    const settled = await settle(bob, 'large', 'failed');
    expect([settled.status, settled.body]).toEqual([
      200,
      { state: 'failed', proposed: null, audit_id: expect.any(String) },
    ]);
    expect((await settle(ann, 'large', 'failed')).body.code).toBe('withdraw_settled');

    expect(await rowsOf(app, 'large')).toEqual([
      propose('ann', 'done', { proposed_state: null, proposed_by: null }),
      propose('bob', 'failed', { proposed_state: 'done', proposed_by: 'ann' }),
      {
        actor: 'bob',
        action: 'withdraw.propose',
        before: { proposed_state: 'failed' },
        after: { proposed_state: 'done' },
      },
      propose('ann', 'failed', { proposed_state: 'done', proposed_by: 'bob' }),
      {
        actor: 'bob',
        action: 'withdraw.settle',
        before: { state: 'unknown', result_code: null, proposed_state: 'failed', proposed_by: 'ann' },
        after: { state: 'failed', result_code: 'deduction_refused', proposed_state: null, proposed_by: null },
      },
    ]);
    const row = await app.db.kysely
      .selectFrom('withdraw')
      .selectAll()
      .where('id', '=', 'large')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 'failed', open_key: null, proposed_state: null, proposed_by: null });
  });

  test('when one of two operators invited the other or gave them a role within a day, then they do not count as two people', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const [ann, bob] = [await makeOperator(app, { name: 'ann' }), await makeOperator(app, { name: 'bob' })];
    for (const id of ['first', 'second']) await addUnknown(app.db, id);
    await settle(ann, 'first', 'done');
    await settle(bob, 'second', 'done');
    const role = { role: 'finance' };
    expect((await ann.send('PATCH', 'operators/bob', role)).status).toBe(200);
    const login = { name: 'bob', password: OPERATOR_PASSWORD };
    const puppet = operatorClient(app, 'bob', cookieIn(await app.post('/api/admin/login', login)));
    expect((await settle(puppet, 'first', 'done')).body.code).toBe('second_person_required');
    expect((await settle(ann, 'second', 'done')).body.code).toBe('second_person_required');
    await app.db.kysely
      .updateTable('audit')
      .set(({ eb }) => ({ at: eb('at', '-', 24 * 3_600_000) }))
      .execute();
    expect((await settle(puppet, 'first', 'done')).status).toBe(200);
  });

  test('when a third operator gave both their access, then they are two people, unless the setting is strict', async () => {
    for (const strict of [false, true]) {
      const withdraw = { ...settings.withdraw, two_person_strict: strict };
      const app = await startTestApp(await engine.freshUrl(), { ...settings, withdraw });
      const ann = await makeOperator(app, { name: 'ann' });
      const invited = async (by: OperatorClient, name: string) => {
        const { link } = (await by.post('operators', { name, role: 'admin' })).body;
        const body = { invitation: link.slice(link.indexOf('#') + 1), password: OPERATOR_PASSWORD };
        return operatorClient(app, name, cookieIn(await app.post('/api/admin/invitation', body)));
      };
      const [carl, dora] = [await invited(ann, 'carl'), await invited(ann, 'dora')];
      const emil = await invited(dora, 'emil');
      for (const id of ['first', 'second', 'third', 'fourth']) {
        await addUnknown(app.db, id);
        expect((await settle(id === 'third' ? ann : carl, id, 'done')).status).toBe(202);
      }
      const late = await makeOperator(app, { name: 'late' });
      const usual = strict ? 409 : 200;
      expect((await settle(dora, 'first', 'done')).status).toBe(usual);
      expect((await settle(late, 'second', 'done')).status).toBe(usual);
      // Emil got his access from Ann through Dora.
      expect((await settle(emil, 'third', 'done')).status).toBe(409);
      expect((await settle(ann, 'fourth', 'done')).status).toBe(409);
      await app.db.kysely
        .updateTable('audit')
        .set(({ eb }) => ({ at: eb('at', '-', 24 * 3_600_000) }))
        .execute();
      expect((await settle(emil, 'third', 'done')).status).toBe(200);
    }
  });

  test('when a key, or the command line again, confirms it, then that is not a second person', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, settings);
    const [ann, olga] = [await makeOperator(app, { name: 'ann' }), await makeOperator(app, { name: 'olga' })];
    for (const id of ['4f0c-1', '4f0d-1']) await addUnknown(app.db, id);
    const { key } = (await ann.post('keys', { name: 'robot', role: 'finance' })).body;
    const denied = await settle(keyClient(app, key), '4f0c-1', 'done');
    expect([denied.status, denied.body.code]).toEqual([403, 'permission_denied']);

    const config = configOf(url, settings);
    const settleByCommand = (id: string, SUDO_USER: string) =>
      runCommand(['withdraw', 'settle', id, '--state', 'done', '--reason', 'log'], {
        config,
        env: { SUDO_USER },
      });
    expect((await settleByCommand('4f0', 'Olga')).stderr).toContain('several withdrawals start with 4f0');
    expect(await settleByCommand('4f0c', 'Olga')).toMatchObject({
      code: 0,
      stdout: 'proposed: withdrawal 4f0c-1 is done; another operator must agree\n',
    });
    expect(await settleByCommand('4f0c', 'olga')).toMatchObject({
      code: 1,
      stderr: 'gatehouse: Another operator must make the same decision.\n',
    });
    // A user of the command line can name anyone.
    const otherName = await settleByCommand('4f0c', 'ivan');
    expect([otherName.code, otherName.stderr]).toEqual([1, expect.stringContaining('counts as one person')]);
    expect((await settle(olga, '4f0c-1', 'done')).body.code).toBe('second_person_required');
    expect((await settle(ann, '4f0c-1', 'done')).status).toBe(200);

    expect((await settle(ann, '4f0d-1', 'done')).status).toBe(202);
    expect(await settleByCommand('4f0d', 'olga')).toMatchObject({
      code: 0,
      stdout: 'withdrawal 4f0d-1 is done\n',
    });
    expect((await rowsOf(app, '4f0d-1')).map(({ actor, action }) => [actor, action])).toEqual([
      ['ann', 'withdraw.propose'],
      ['olga', 'withdraw.settle'],
    ]);
  });

  test('when many settle concurrently on two instances, then two people agree exactly once', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, settings);
    const other = await startTestApp(url, settings);
    const names = ['ann', 'bob', 'cleo', 'dan'];
    const here = await Promise.all(names.map((name) => makeOperator(app, { name })));
    const both = here.flatMap((each) => [each, operatorClient(other, each.name, each.cookie)]);
    /** Sends twenty concurrently, over all operators and both instances. */
    const burst = (operators: readonly OperatorClient[], id: string, word: (n: number) => Word) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          settle(operators[n % operators.length] ?? expect.fail(), id, word(n)),
        ),
      );
    await app.db.kysely.insertInto('withdraw_day').values({ player_id: 1, day: DAY, amount: 1000 }).execute();
    for (const id of ['agreed', 'alone', 'mixed', 'small'])
      await addUnknown(app.db, id, { day: DAY, amount: id === 'small' ? 50 : 100 });

    const agreed = await burst(both, 'agreed', () => 'failed');
    expect([count(agreed, 200), count(agreed, 202)]).toEqual([1, 1]);
    expect(count(agreed, 'withdraw_settled') + count(agreed, 'second_person_required')).toBe(18);
    const [first, second, ...more] = await rowsOf(app, 'agreed');
    expect([first?.action, second?.action, more]).toEqual(['withdraw.propose', 'withdraw.settle', []]);
    expect(second?.before.proposed_by).toBe(first?.actor);
    expect(second?.actor).not.toBe(first?.actor);
    expect(await dayAmount(app.db, 1, DAY)).toBe(900);

    const alone = await burst(both.slice(0, 2), 'alone', () => 'done');
    expect([count(alone, 202), count(alone, 'second_person_required')]).toEqual([1, 19]);
    expect(await stateOf(app, 'alone')).toBe('unknown');

    const mixed = await burst(both, 'mixed', (n) => (n % 3 === 0 ? 'failed' : 'done'));
    const rows = await rowsOf(app, 'mixed');
    const settled = rows.filter(({ action }) => action === 'withdraw.settle');
    expect(settled).toHaveLength(count(mixed, 200));
    expect(count(mixed, 200)).toBeLessThanOrEqual(1);
    expect(count(mixed, 202)).toBe(1);
    for (const { actor, before, after } of settled) {
      expect(before).toMatchObject({ state: 'unknown', proposed_state: after.state });
      expect(before.proposed_by).not.toBe(actor);
    }
    const state = await stateOf(app, 'mixed');
    expect(state).toBe(settled[0]?.after.state ?? 'unknown');
    // Every stored proposal has its row and its event; a refusal that stored nothing has neither.
    const events = await app.db.kysely
      .selectFrom('withdraw_event')
      .select(['seq', 'why'])
      .where('withdraw_id', '=', 'mixed')
      .orderBy('seq')
      .execute();
    expect(events.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
    expect(await dayAmount(app.db, 1, DAY)).toBe(state === 'failed' ? 800 : 900);

    const small = await burst(both, 'small', (n) => (n % 2 ? 'failed' : 'done'));
    expect([count(small, 200), count(small, 'withdraw_settled')]).toEqual([1, 19]);
    expect(await rowsOf(app, 'small')).toMatchObject([{ after: { state: await stateOf(app, 'small') } }]);
  });
});

const propose = (actor: string, state: Word, before: object) => ({
  actor,
  action: 'withdraw.propose',
  before,
  after: { proposed_state: state, proposed_by: actor },
});
