import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import type { Db } from '../src/db/open.ts';
import { listStore, type WithdrawFilter } from '../src/features/withdraw/store/list-store.ts';
import { reconciliationStore } from '../src/features/withdraw/store/reconciliation-store.ts';
import { migrated } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { planOf } from './support/query-plan.ts';
import { startTestApp } from './support/test-app.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';
import { addWithdrawals } from './support/withdraw-rows.ts';

const relaxed = { console: { require_totp: false } };
const ids = (body: { withdrawals: { id: string }[] }) => body.withdrawals.map(({ id }) => id);

describeOnEngines('the withdrawal desk', (engine) => {
  test('when withdrawals are listed, then filters and pages work, newest first, and zones are kept apart', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const ann = await makeOperator(app, { name: 'ann', role: 'viewer', zones: [2, 3] });
    const players = await app.db.kysely
      .insertInto('player')
      .values([{ account: 'Alice' }, { account: 'Bob' }])
      .execute();
    expect(players).toHaveLength(1);
    // Two per moment, so that the id decides.
    await addWithdrawals(app.db, 12, (n) => ({
      id: `w-${String(n).padStart(2, '0')}`,
      player_id: (n % 2) + 1,
      server_id: (n % 3) + 1,
      amount: 10 + n,
      state: n % 4 === 0 ? 'unknown' : 'done',
      role: '"Hero"',
      created_at: 1_700_000_000_000 + Math.floor(n / 2) * 1000,
    }));
    const newest = Array.from({ length: 12 }, (_, n) => `w-${String(11 - n).padStart(2, '0')}`);
    const of = (keep: (n: number) => boolean) => newest.filter((id) => keep(Number(id.slice(2))));

    const { body } = await boss.get('withdrawals');
    expect(ids(body)).toEqual(newest);
    expect(body.next).toBeNull();
    expect(body.withdrawals[0]).toEqual({
      id: 'w-11',
      state: 'done',
      server_id: 3,
      player_id: 2,
      account: 'Bob',
      role: 'Hero',
      role_id: null,
      amount: 21,
      result_code: null,
      balance_before: null,
      balance_after: null,
      proposed: null,
      created_at: '2023-11-14T22:13:25.000Z',
      updated_at: expect.any(String),
    });

    for (const [query, expected] of [
      ['state=unknown', of((n) => n % 4 === 0)],
      ['server_id=2', of((n) => n % 3 === 1)],
      ['player_id=1', of((n) => n % 2 === 0)],
      ['player_id=1&server_id=2&state=unknown', of((n) => n % 2 === 0 && n % 3 === 1 && n % 4 === 0)],
      ['state=unknown&server_id=3', of((n) => n % 4 === 0 && n % 3 === 2)],
      ['from=2023-11-14T22:13:21Z&to=2023-11-14T22:13:23%2B00:00', of((n) => n >= 2 && n < 6)],
      ['player_id=77', []],
      ['server_id=77', []],
    ] as const) {
      const whole = await boss.get(`withdrawals?${query}`);
      expect([query, ids(whole.body)]).toEqual([query, expected]);
      const paged: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await boss.get(`withdrawals?${query}&limit=2${cursor && `&cursor=${cursor}`}`);
        paged.push(...ids(page.body));
        if (page.body.next === null) break;
        cursor = page.body.next;
      }
      expect([query, paged]).toEqual([query, expected]);
    }

    expect(ids((await ann.get('withdrawals')).body)).toEqual(of((n) => n % 3 !== 0));
    expect(ids((await ann.get('withdrawals?limit=3')).body)).toEqual(of((n) => n % 3 !== 0).slice(0, 3));
    expect(ids((await ann.get('withdrawals?player_id=1')).body)).toEqual(
      of((n) => n % 3 !== 0 && n % 2 === 0),
    );
    for (const path of ['withdrawals?server_id=1', 'withdrawals?server_id=77']) {
      const answer = await ann.get(path);
      expect([answer.status, answer.body.code]).toEqual([404, 'server_not_found']);
    }
    expect((await ann.get('withdrawals/w-00')).body.code).toBe('withdraw_not_found');
    expect((await ann.get('withdrawals/w-01')).status).toBe(200);
    for (const bad of ['state=open', 'server_id=x', 'limit=201', 'from=yesterday', 'cursor=W10', 'role=x'])
      expect((await boss.get(`withdrawals?${bad}`)).body.code).toBe('invalid_request');
  });

  test('when the list is exported, then it is a CSV of the operator’s zones and an audit row records the export', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const ann = await makeOperator(app, { name: 'ann', role: 'viewer', zones: [2] });
    await addWithdrawals(app.db, 1100, (n) => ({
      id: `w-${String(n).padStart(4, '0')}`,
      server_id: (n % 2) + 1,
      role: JSON.stringify(n === 1099 ? '=1+1,"x"' : 'Hero'),
      created_at: 1_700_000_000_000 + n,
    }));
    const csv = { headers: { accept: 'text/csv' } };
    const refused = await ann.get('withdrawals?server_id=1', csv);
    expect(refused.body.code).toBe('server_not_found');
    const before = await auditRows(app.db);

    const { text, headers } = await ann.get('withdrawals?state=done&server_id=2', csv);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'id,state,server_id,player_id,account,role,role_id,amount,result_code,balance_before,balance_after,proposed,created_at,updated_at',
    );
    expect(lines).toHaveLength(551);
    expect(lines[1]).toMatch(/^"w-1099","done","2","1","","'=1\+1,""x""","","100",/);
    expect((await ann.get('withdrawals', csv)).text.trimEnd().split('\r\n')).toHaveLength(551);
    const rows = (await auditRows(app.db)).slice(before.length);
    expect(rows).toMatchObject([
      { actor: 'ann', via: 'console', action: 'export', subject_kind: 'list', subject_id: 'withdrawals' },
      { action: 'export' },
    ]);
    expect(rows.map(({ after }) => JSON.parse(after ?? '')).sort()).toEqual(
      [{ state: 'done', server_id: 2 }, {}].sort(),
    );
  });

  test('when a withdrawal is shown, then its evidence is included and the e-mail is masked for most operators', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), { settings: relaxed });
    const { player, role, body } = await addPlayerWithRole(app);
    await app.db.kysely.updateTable('player').set({ email: 'alice@example.com' }).execute();
    const first = (await app.withdraw(player, body)).body.withdraw_id;
    app.zone.setFaults(['http_500_before']);
    const { withdraw_id: id, state } = (await app.withdraw(player, body)).body;
    expect(state).toBe('unknown');
    const finance = await makeOperator(app, { name: 'fin', role: 'finance' });
    const support = await makeOperator(app, { name: 'sue', role: 'support' });

    const { body: shown } = await finance.get(`withdrawals/${id}`);
    expect(shown).toMatchObject({
      id,
      state: 'unknown',
      amount: 100,
      account: 'alice',
      role: role.name,
      role_id: role.id,
      balance_before: 900,
      proposed: null,
      two_person: false,
      player: { player_id: player.id, account: 'alice', email: 'a***@example.com', status: 'active' },
      gm_answer: { why: 'HTTP 500', status: 500, answer: expect.any(String) },
      receipt: null,
    });
    expect(ids({ withdrawals: shown.role_withdrawals })).toEqual([first]);
    const moves = shown.events.filter(({ why }: { why: string }) => why !== 'claimed again');
    expect(moves.map(({ to_state }: { to_state: string }) => to_state)).toEqual([
      'accepted',
      'accepted',
      'sending',
      'unknown',
    ]);
    expect(moves[2].detail).toMatchObject({ balance: 900, recent: 100 });
    const { body: inFull } = await support.get(`withdrawals/${id}`);
    expect(inFull.player.email).toBe('alice@example.com');
    // Only those who settle or run the system see what was answered.
    expect(inFull.gm_answer).toMatchObject({ status: 500, answer: null });
    expect(JSON.stringify(shown.events)).toContain('"answer"');
    expect(JSON.stringify(inFull.events)).not.toContain('"answer"');
    expect((await finance.get('withdrawals/none')).body.code).toBe('withdraw_not_found');
    expect((await support.post(`withdrawals/${id}/settle`, { state: 'done', reason: 'x' })).body.code).toBe(
      'permission_denied',
    );
  });

  test('when the nightly reconciliations are read, then the rows of a day are those of the operator’s zones', async () => {
    const app = await startTestApp(await engine.freshUrl(), { ...relaxed, time_zone: 'Asia/Shanghai' });
    const boss = await makeOperator(app);
    const ann = await makeOperator(app, { name: 'ann', role: 'viewer', zones: [2] });
    const figures = {
      done: 1,
      done_amount: 100,
      refused: 2,
      failed: 3,
      open: 0,
      unknown: 1,
      unknown_amount: 7,
    };
    const line = (server_id: number, drift: number | null) => ({ server_id, ...figures, receipts: 4, drift });
    const { keep } = reconciliationStore(app.db);
    await keep('2030-01-31', [line(2, null), line(1, -100)]);
    await keep('2030-01-31', [line(2, 5)]);
    const yesterday = Temporal.Now.plainDateISO('Asia/Shanghai').subtract({ days: 1 }).toString();
    await keep(yesterday, [line(3, 0)]);

    const { body } = await boss.get('reconciliation?day=2030-01-31');
    const reconciled_at = expect.any(String);
    expect(body).toEqual({
      zones: [
        { ...line(1, -100), reconciled_at },
        { ...line(2, null), reconciled_at },
      ],
    });
    expect((await ann.get('reconciliation?day=2030-01-31')).body.zones).toMatchObject([{ server_id: 2 }]);
    expect((await boss.get('reconciliation?day=2030-02-01')).body).toEqual({ zones: [] });
    expect((await boss.get('reconciliation')).body.zones).toMatchObject([{ server_id: 3 }]);
    expect((await boss.get('reconciliation?day=2030-02-31')).body.code).toBe('invalid_request');
  });

  test('when withdrawals are listed by any filter, then an index returns them in order', async () => {
    const db = await migrated(engine);
    await addWithdrawals(db, 4000, (n) => ({
      player_id: n % 200,
      server_id: n % 40,
      state: n % 100 === 0 ? 'unknown' : 'done',
      role_id: n % 200,
      created_at: 1_700_000_000_000 + n * 1000,
    }));
    const expectPlan = async (name: string, index: RegExp, run: (spied: Db) => Promise<unknown>) => {
      const plan = await planOf(db, run);
      expect(plan, `${name} ${plan}`).toMatch(index);
      expect(plan, name).not.toMatch(/TEMP B-TREE|filesort|temporary/i);
    };
    const from = 1_700_000_000_000;
    const after = { createdAt: from + 2_000_000, id: 'f' };
    const filters: [WithdrawFilter, RegExp][] = [
      [{}, /withdraw_created_at_id/],
      [{ from, to: from + 3_000_000 }, /withdraw_created_at_id/],
      [{ states: ['unknown'] }, /withdraw_state_created_at_id/],
      [{ zones: [7] }, /withdraw_server_id_created_at_id/],
      [{ zones: [0], states: ['unknown'] }, /withdraw_(server_id_)?state_created_at_id/],
      [{ zones: [7], from, to: from + 3_000_000 }, /withdraw_server_id_created_at_id/],
      [{ playerId: 7 }, /withdraw_player_id_created_at_id/],
      [{ playerId: 7, zones: [7], states: ['done'] }, /withdraw_player_id_created_at_id/],
    ];
    // MariaDB keeps its statistics up to date; SQLite plans without any until they are gathered.
    const gathering = engine.name === 'sqlite' ? ['select 1', 'analyze'] : ['analyze table withdraw'];
    for (const statement of gathering) {
      await sql.raw(statement).execute(db.kysely);
      for (const [filter, index] of filters)
        for (const page of [{ limit: 20 }, { limit: 20, after }])
          await expectPlan(`${statement} ${JSON.stringify(filter)}`, index, (spied) =>
            listStore(spied).list(filter, page),
          );
    }
    const [withdrawal = expect.fail()] = await listStore(db).list({ playerId: 7 }, { limit: 1 });
    await expectPlan('of the role', /withdraw_server_id_role_id_updated_at/, (spied) =>
      listStore(spied).ofSameRole(withdrawal, 20),
    );
    await expectPlan('by prefix', /PRIMARY/i, (spied) => listStore(spied).byPrefix('4f', 2));
  });
});
