import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines, type Engine, freshMariadbUrl } from '../../test-support/engines.ts';
import { deleteInBatches, retention } from '../src/db/delete-in-batches.ts';
import { classify } from '../src/db/errors.ts';
import type { Db } from '../src/db/open.ts';
import { openPlayerAdmin } from '../src/features/account/admin/module.ts';
import type { AuditEntry } from '../src/features/audit/entry.ts';
import { type AuditCursor, append, auditStore } from '../src/features/audit/store.ts';
import { openPromoterAdmin } from '../src/features/promoters/admin/module.ts';
import { openStatsAdmin } from '../src/features/stats/admin/module.ts';
import { openWithdrawAdmin } from '../src/features/withdraw/admin/module.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import type { ZoneDriver } from '../src/integrations/zone-driver.ts';
import { Refusal } from '../src/refusal.ts';
import { fixedSettings } from '../src/settings/live.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated, migratedAt, opened, rejection } from './db/opened.ts';
import { startProxy } from './db/proxy.ts';
import { auditRows } from './support/audit.ts';
import { planOf } from './support/query-plan.ts';

const actor = { name: 'olga', via: 'console', ip: '203.0.113.9', requestId: 'r-1' } as const;
const settings = parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } });
const zone = { server_id: 3, name: 'Three', address: '10.0.0.3', port: 7003 };
const log = { warn: () => {} };

const players = (db: Db) => openPlayerAdmin({ db, settings });
const promoterAdmin = (db: Db) =>
  openPromoterAdmin({ db, figuresOf: openStatsAdmin({ db, settings }).figuresOfPromoter });
const withdrawals = (db: Db) => openWithdrawAdmin({ db, settings: fixedSettings(settings), log });
const addPlayer = ({ kysely }: Db) => kysely.insertInto('player').values({ account: 'Mallory' }).execute();
const addUnknown = ({ kysely }: Db) =>
  kysely
    .insertInto('withdraw')
    .values({ id: 'w-1', player_id: 1, server_id: 3, amount: 100, state: 'unknown', open_key: '3:1' })
    .execute();

async function tables({ kysely }: Db): Promise<unknown> {
  const names = ['player', 'server', 'agent', 'withdraw', 'withdraw_event', 'audit'] as const;
  return Promise.all(names.map((table) => kysely.selectFrom(table).selectAll().execute()));
}

/** Opens a database whose next transaction with an audit row fails at commit. */
async function failingAtCommit(engine: Engine): Promise<{ db: Db; breakNext: () => Promise<void> }> {
  if (engine.name === 'mariadb') {
    const url = await engine.freshUrl();
    const proxy = await startProxy(url);
    return { db: await opened(proxy.url), breakNext: async () => proxy.cutAt('COMMIT', 'before') };
  }
  const db = await migrated(engine);
  return {
    db,
    // SQLite checks a deferred key at commit.
    async breakNext() {
      for (const statement of [
        'create table parent (id integer primary key)',
        'create table child (id integer references parent (id) deferrable initially deferred)',
        'create trigger break_commit after insert on audit begin insert into child values (1); end',
      ])
        await sql.raw(statement).execute(db.kysely);
    },
  };
}

describeOnEngines('operators’ rules', (engine) => {
  test('when a rule refuses or changes nothing, then neither tables nor records change', async () => {
    const db = await migrated(engine);
    await addPlayer(db);
    await addUnknown(db);
    const [zones, promoters] = [openZoneAdmin({ db }), promoterAdmin(db)];
    await zones.add(actor, { zones: [zone] });
    const { agentId = 0 } = (await promoters.add(actor, { name: 'Zhang' })) ?? {};
    await promoters.set(actor, { agentId, status: 'closed' });
    await withdrawals(db).settle(actor, { id: 'w-1', state: 'done', reason: 'seen' });
    const before = await tables(db);
    expect(await auditRows(db)).toHaveLength(4);

    const nobody = { player: { account: 'nobody' }, reason: 'bots' };
    const refused = [
      players(db).ban(actor, nobody),
      players(db).unban(actor, nobody),
      players(db).signOut(actor, nobody),
      players(db).setPassword(actor, { ...nobody, password: 'Brand-New-Horse-7' }),
    ];
    expect(await Promise.all(refused.map(rejection))).toMatchObject(
      Array(4).fill({ code: 'account_not_found' }),
    );
    const again = zones.add(actor, { zones: [{ ...zone, name: 'Again' }] });
    expect(await rejection(again)).toMatchObject({ code: 'already_bound' });
    const noZone = zones.set(actor, { serverId: 8, fields: { port: 1 } });
    expect(await rejection(noZone)).toMatchObject({ code: 'server_not_found' });
    expect(await rejection(zones.remove(actor, { serverId: 8 }))).toMatchObject({ code: 'server_not_found' });
    const nobodyAtAll = promoters.set(actor, { agentId: 8, status: 'closed' });
    expect(await rejection(nobodyAtAll)).toMatchObject({ code: 'promoter_not_found' });
    const weak = players(db).setPassword(actor, { player: { account: 'mallory' }, password: 'short' });
    expect(await rejection(weak)).toBeInstanceOf(Refusal);
    const settle = (id: string) => withdrawals(db).settle(actor, { id, state: 'failed', reason: 'guess' });
    expect(await rejection(settle('w-1'))).toMatchObject({ code: 'withdraw_settled' });
    expect(await rejection(settle('w-2'))).toMatchObject({ code: 'withdraw_not_found' });

    const unbanned = await players(db).unban(actor, { player: { account: 'mallory' } });
    expect(unbanned).toMatchObject({ auditId: null });
    expect(await zones.set(actor, { serverId: 3, fields: { name: 'Three', port: 7003 } })).toMatchObject({
      auditId: null,
    });
    expect(await promoters.set(actor, { agentId, status: 'closed' })).toMatchObject({ auditId: null });
    expect(await tables(db)).toEqual(before);
  });

  test('when many ban the same account concurrently, then each row begins with the state that another left', async () => {
    const url = await engine.freshUrl();
    const instances = [await migratedAt(url), await opened(url)];
    await addPlayer(instances[0] ?? expect.fail());
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        players(instances[n % 2] ?? expect.fail()).ban(actor, {
          player: { account: 'mallory' },
          reason: `reason ${n}`,
        }),
      ),
    );

    const rows = await auditRows(instances[0] ?? expect.fail());
    const steps = rows
      .map((row) => ({ ...row, before: JSON.parse(row.before ?? ''), after: JSON.parse(row.after ?? '') }))
      .sort((a, b) => a.before.token_version - b.before.token_version);
    expect(steps.map(({ before }) => before.token_version)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(steps.map(({ after }) => after.token_version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(steps.slice(1).map(({ before }) => before.ban_reason)).toEqual(
      steps.slice(0, -1).map(({ after }) => after.ban_reason),
    );
    expect(steps[0]).toMatchObject({ actor: 'olga', via: 'console', ip: '203.0.113.9', request_id: 'r-1' });
  });

  test('when two operators settle the same withdrawal concurrently, then one succeeds, and one row names it', async () => {
    const url = await engine.freshUrl();
    const [db, other] = [await migratedAt(url), await opened(url)];
    await addUnknown(db);
    const outcomes = await Promise.allSettled([
      withdrawals(db).settle(actor, { id: 'w-1', state: 'done', reason: 'one' }),
      withdrawals(other).settle({ ...actor, name: 'otto' }, { id: 'w-1', state: 'failed', reason: 'two' }),
    ]);

    const { state } = await db.kysely.selectFrom('withdraw').select('state').executeTakeFirstOrThrow();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toMatchObject([{ value: { state } }]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'withdraw_settled' } },
    ]);
    const [row, ...more] = await auditRows(db);
    expect(more).toEqual([]);
    expect(JSON.parse(row?.after ?? '')).toMatchObject({ state });
    expect(row?.actor).toBe(outcomes[0]?.status === 'fulfilled' ? 'olga' : 'otto');
    expect(await db.kysely.selectFrom('withdraw_event').select('actor').execute()).toEqual([
      { actor: `operator:${row?.actor}` },
    ]);
  });

  test('when an operator requests a receipt, then what it settles is recorded once', async () => {
    const db = await migrated(engine);
    await addUnknown(db);
    await openZoneAdmin({ db }).add(actor, { zones: [zone] });
    const exchange = { asked: {} };
    const receipt = async () => ({ kind: 'executed', amount: 100, exchange }) as const;
    const drivers = () => ({ receipt }) as Partial<ZoneDriver> as ZoneDriver;
    const { reconcile } = openWithdrawAdmin({ db, settings: fixedSettings(settings), log, drivers });
    for (const _ of ['first', 'second'])
      expect(await reconcile(actor, { since: 0 })).toMatchObject([{ server_id: 3, done: 1, unknown: 0 }]);

    const rows = (await auditRows(db)).filter(({ action }) => action === 'withdraw.receipt');
    expect(rows).toMatchObject([{ subject_id: 'w-1', server_id: 3, reason: 'receipt: executed' }]);
  });

  test('when the commit of a change fails, then neither the change nor its row exists', async () => {
    const { db, breakNext } = await failingAtCommit(engine);
    await addPlayer(db);
    await addUnknown(db);
    const before = await tables(db);

    await breakNext();
    expect(classify(await rejection(players(db).ban(actor, { player: { account: 'mallory' } })))).toBe(
      'outcome_unknown',
    );
    if (engine.name === 'mariadb') await breakNext();
    const settled = withdrawals(db).settle(actor, { id: 'w-1', state: 'failed', reason: 'seen' });
    expect(classify(await rejection(settled))).toBe('outcome_unknown');
    expect(await tables(db)).toEqual(before);
  });

  test('when a transaction is rolled back, then its audit entries are too', async () => {
    const db = await migrated(engine);
    const work = db.transaction(async (trx) => {
      await append(trx, { actor, action: 'export' });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await auditRows(db)).toEqual([]);
  });
});

test('when a commit succeeds and is not confirmed, then the row shows that the change took effect', async () => {
  const url = await freshMariadbUrl();
  const proxy = await startProxy(url);
  const db = await opened(proxy.url);
  await addPlayer(db);
  await addUnknown(db);

  proxy.cutAt('COMMIT', 'after');
  expect(await players(db).ban(actor, { player: { account: 'mallory' } })).toMatchObject({
    auditId: expect.any(String),
  });
  proxy.cutAt('COMMIT', 'after');
  const settled = await withdrawals(db).settle(actor, { id: 'w-1', state: 'done', reason: 'seen' });
  expect(settled).toMatchObject({ state: 'done' });
  expect((await auditRows(db)).map(({ action }) => action).sort()).toEqual(['player.ban', 'withdraw.settle']);
});

describeOnEngines('the audit records', (engine) => {
  test('when they are read page by page, then each appears once, newest first, also with equal times', async () => {
    const db = await migrated(engine);
    await fill(db, 60, (n) => ({ actor: { ...actor, name: n % 2 ? 'olga' : 'otto' }, action: 'export' }));
    await db.kysely.updateTable('audit').set({ at: 5000 }).where('actor', '=', 'olga').execute();
    const audit = auditStore(db);

    const seen: AuditCursor[] = [];
    for (let page = await audit.list({ limit: 7 }); page.length > 0; ) {
      seen.push(...page);
      page = await audit.list({ limit: 7 }, seen.at(-1));
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(60);
    const sorted = [...seen].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
    expect(seen).toEqual(sorted);
    expect(await audit.list({ actor: 'olga', from: 5000, to: 5001, limit: 100 })).toHaveLength(30);
    expect(await audit.list({ actor: 'olga', to: 5000, limit: 100 })).toEqual([]);
  });

  test('when they are listed by any filter, then an index returns them in order', async () => {
    const db = await migrated(engine);
    await fill(db, 4000, (n) => ({
      actor: { ...actor, name: `operator ${n % 40}` },
      action: n % 40 === 0 ? 'zone.set' : 'player.ban',
      subject: { kind: n % 40 === 0 ? 'zone' : 'player', id: n % 100 },
      serverId: n % 40,
    }));
    await sql.raw(engine.name === 'sqlite' ? 'analyze' : 'analyze table audit').execute(db.kysely);
    const cursor = { at: Date.now(), id: 'f' };
    for (const filter of [
      {},
      { actor: 'operator 7' },
      { action: 'zone.set' },
      { subjectKind: 'zone' },
      { subjectId: '7' },
      { subjectKind: 'player', subjectId: '7' },
      { serverId: 7 },
      { from: 1, to: Number.MAX_SAFE_INTEGER },
    ] as const)
      for (const after of [undefined, cursor]) {
        const plan = await planOf(db, (spied) => auditStore(spied).list({ ...filter, limit: 20 }, after));
        expect(plan, `${JSON.stringify(filter)} ${plan}`).toMatch(/audit_\w*at_id/);
        expect(plan, JSON.stringify(filter)).not.toMatch(/TEMP B-TREE|filesort|temporary/i);
      }
  });

  test('when they are past the retention, then they are deleted; without one, they are kept', async () => {
    const db = await migrated(engine);
    await fill(db, 3, () => ({ actor, action: 'export' }));
    await db.kysely.updateTable('audit').set({ at: 1 }).execute();
    await fill(db, 1, () => ({ actor, action: 'import.run' }));
    const sweep = (days: number) => retention('audit', () => days, auditStore(db).deleteOlderThan);
    expect(await deleteInBatches([sweep(0)])).toBe(0);
    expect(await deleteInBatches([sweep(1)])).toBe(3);
    expect(await auditRows(db)).toMatchObject([{ action: 'import.run' }]);
  });
});

function fill(db: Db, count: number, entry: (n: number) => AuditEntry): Promise<void> {
  return db.transaction(async (trx) => {
    for (let n = 0; n < count; n++) await append(trx, entry(n));
  });
}
