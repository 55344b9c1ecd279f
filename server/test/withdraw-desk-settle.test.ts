import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { openWithdrawAdmin } from '../src/features/withdraw/admin/module.ts';
import type { Receipt } from '../src/integrations/gm-command.ts';
import type { ZoneDriver } from '../src/integrations/zone-driver.ts';
import { fixedSettings } from '../src/settings/live.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated, rejection } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { keyClient, makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';
import { addUnknown, addWithdrawals, dayAmount } from './support/withdraw-rows.ts';

const relaxed = { console: { require_totp: false } };

describeOnEngines('withdrawals settled at the desk', (engine) => {
  test('when a withdrawal is settled, then once, only an unknown one of an own zone, with one audit row', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const fin = await makeOperator(app, { name: 'fin', role: 'finance', zones: [1] });
    await addUnknown(app.db, 'taken', { day: '2030-01-01' });
    await addUnknown(app.db, 'spared', { day: '2030-01-01' });
    await addUnknown(app.db, 'elsewhere', { server_id: 2 });
    await app.db.kysely
      .insertInto('withdraw_day')
      .values({ player_id: 1, day: '2030-01-01', amount: 200 })
      .execute();
    const later = { updated_at: Date.now() + 3_600_000 };
    await addWithdrawals(app.db, 4, (n) => ({
      id: ['accepted', 'sending', 'done', 'refused'][n] as string,
      state: ['accepted', 'sending', 'done', 'refused'][n] as string,
      ...later,
    }));
    const settle = (id: string, body: object) => fin.post(`withdrawals/${id}/settle`, body);
    const done = { state: 'done', reason: 'seen in the log' };

    for (const [id, code] of [
      ['accepted', 'withdraw_in_progress'],
      ['sending', 'withdraw_in_progress'],
      ['done', 'withdraw_settled'],
      ['refused', 'withdraw_settled'],
      ['elsewhere', 'withdraw_not_found'],
      ['none', 'withdraw_not_found'],
    ] as const)
      for (const route of ['settle', 'receipt']) {
        const answer = await fin.post(`withdrawals/${id}/${route}`, route === 'settle' ? done : {});
        expect([id, answer.body.code]).toEqual([id, code]);
      }
    for (const body of [{ state: 'done' }, { state: 'done', reason: '' }, { state: 'refused', reason: 'x' }])
      expect((await settle('taken', body)).body.code).toBe('invalid_request');
    expect((await auditRows(app.db)).filter(({ subject_kind }) => subject_kind === 'withdraw')).toEqual([]);

    const settled = await settle('taken', done);
    expect([settled.status, settled.body]).toEqual([
      200,
      { state: 'done', proposed: null, audit_id: expect.any(String) },
    ]);
    expect((await settle('spared', { state: 'failed', reason: 'absent' })).body.state).toBe('failed');
    expect((await settle('taken', done)).body.code).toBe('withdraw_settled');
    expect(await dayAmount(app.db, 1, '2030-01-01')).toBe(100);
    expect((await fin.get('withdrawals/spared')).body).toMatchObject({ result_code: 'deduction_refused' });
    const rows = (await auditRows(app.db)).filter(({ subject_kind }) => subject_kind === 'withdraw');
    expect(rows.find(({ id }) => id === settled.body.audit_id)).toMatchObject({
      actor: 'fin',
      action: 'withdraw.settle',
      subject_id: 'taken',
      server_id: 1,
      reason: 'seen in the log',
      before: '{"state":"unknown"}',
      after: '{"state":"done"}',
    });
    expect(rows).toHaveLength(2);
    expect(await app.metrics.text()).toContain('gatehouse_withdrawals_total{state="done"} 1');
  });

  test('when a receipt is requested, then it settles what it proves, and otherwise the answer says why not', async () => {
    const db = await migrated(engine);
    const zone = { server_id: 1, name: 'One', address: '127.0.0.1', port: 7000 };
    await db.kysely.insertInto('server').values(zone).execute();
    const exchange = { asked: {}, status: 200, answer: '{}' };
    const receipts: Record<string, Receipt> = {
      taken: { kind: 'executed', amount: 100, exchange },
      other: { kind: 'executed', amount: 90, exchange },
      fresh: { kind: 'not_executed', exchange },
      old: { kind: 'not_executed', exchange },
      dumb: { kind: 'unreadable', why: 'HTTP 500', exchange: { asked: {} } },
    };
    for (const id of Object.keys(receipts)) await addUnknown(db, id);
    await db.kysely.updateTable('withdraw').set({ updated_at: 1 }).where('id', '=', 'old').execute();
    const moved: string[] = [];
    const driven = (receipt: ZoneDriver['receipt']) =>
      openWithdrawAdmin({
        db,
        settings: fixedSettings(parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } })),
        drivers: () => ({ receipt }) as Partial<ZoneDriver> as ZoneDriver,
        moved: (state) => void moved.push(state),
        log: { warn: () => {} },
      });
    const withdrawals = driven(async (id) => receipts[id] ?? expect.fail());
    const actor = { name: 'fin', via: 'console' } as const;
    const ask = (id: string) => withdrawals.receipt(actor, { id });

    expect(await driven(undefined).receipt(actor, { id: 'taken' })).toMatchObject({
      state: 'unknown',
      receipt: undefined,
      auditId: null,
    });
    expect(await ask('other')).toMatchObject({ state: 'unknown', auditId: null, receipt: { amount: 90 } });
    expect(await ask('fresh')).toMatchObject({ state: 'unknown', auditId: null, why: /too early/ as never });
    expect(await ask('dumb')).toMatchObject({ state: 'unknown', auditId: null, why: 'HTTP 500' });
    expect(await auditRows(db)).toEqual([]);

    expect(await ask('taken')).toMatchObject({ state: 'done', why: 'receipt: executed' });
    expect(await ask('old')).toMatchObject({ state: 'failed', why: 'receipt: not executed' });
    expect(await rejection(ask('taken'))).toMatchObject({ code: 'withdraw_settled' });
    expect(moved).toEqual(['done', 'failed']);
    expect(await auditRows(db)).toMatchObject([
      { action: 'withdraw.receipt', subject_id: 'taken', reason: 'receipt: executed', server_id: 1 },
      { action: 'withdraw.receipt', subject_id: 'old', reason: 'receipt: not executed' },
    ]);
    const { receipt, gmAnswer } = await withdrawals.show({ id: 'taken' });
    expect([receipt?.detail, gmAnswer]).toEqual([exchange, undefined]);

    // Another operator settles before the zone answers.
    const slow = driven(async () => {
      await withdrawals.settle({ ...actor, name: 'ann' }, { id: 'other', state: 'failed', reason: 'log' });
      return { kind: 'executed', amount: 100, exchange };
    });
    expect(await rejection(slow.receipt(actor, { id: 'other' }))).toMatchObject({ code: 'withdraw_settled' });
  });

  test('when an unknown withdrawal must be queried elsewhere, then an administrator sets where, with a reason', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    await addUnknown(app.db, 'lost', { gm_url: 'http://u:pass@10.0.0.5/gm' });
    const boss = await makeOperator(app);
    const finance = await makeOperator(app, { name: 'fin', role: 'finance' });
    const order = { gm_url: 'http://u:other@10.0.0.6/gm', reason: 'the zone has moved' };
    const repoint = (who: typeof boss, body: object = order) => who.post('withdrawals/lost/gm_url', body);
    const limited = await makeOperator(app, { name: 'some', role: 'admin', zones: [1] });
    for (const who of [finance, limited]) expect((await repoint(who)).body.code).toBe('permission_denied');
    expect((await repoint(boss, { gm_url: order.gm_url })).status).toBe(400);
    expect((await repoint(boss)).body.gm_url).toBe('http://u:***@10.0.0.6/gm');
    const { body } = await finance.get('withdrawals/lost');
    expect(body.gm_url).toBe('http://u:***@10.0.0.6/gm');
    const rows = (await auditRows(app.db)).filter(({ action }) => action === 'withdraw.repoint');
    expect(rows).toMatchObject([{ subject_id: 'lost', reason: order.reason }]);
    expect(JSON.stringify(rows)).not.toMatch(/pass|other@/);
    const { code } = await app.cli(
      'withdraw',
      'repoint',
      'lost',
      '--gm-url',
      'http://10.0.0.7/gm',
      '--reason',
      'x',
    );
    expect(code).toBe(0);
    await app.db.kysely.updateTable('withdraw').set({ state: 'done' }).execute();
    expect((await repoint(boss)).body.code).toBe('withdraw_settled');
  });

  test('when a receipt is requested over HTTP, then the answer has the zone’s reply', async () => {
    const settings = { ...relaxed, gm: { receipt_operation: 10031, receipt_after: 600 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, zone: { receipts: true } });
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['drop_before']);
    const { withdraw_id: id } = (await app.withdraw(player, body)).body;
    const { key } = (await (await makeOperator(app)).post('keys', { name: 'robot', role: 'finance' })).body;
    const found = await keyClient(app, key).post(`withdrawals/${id}/receipt`);
    expect(found.status).toBe(200);
    expect(found.body).toEqual({
      state: 'unknown',
      receipt: {
        kind: 'not_executed',
        amount: null,
        status: 200,
        answer: expect.stringContaining('executed'),
      },
      why: 'not executed yet; too early to be believed',
      audit_id: null,
    });
  });
});
