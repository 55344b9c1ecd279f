import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import type { CliResult } from '../../test-support/gatehouse.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { jobLease } from '../src/db/job-lease.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { reconcile, startReconcileJob } from '../src/features/withdraw/recovery/reconcile.ts';
import { reconciliationStore } from '../src/features/withdraw/store/reconciliation-store.ts';
import {
  addPlayerWithRole,
  daySum,
  eventsOf,
  movesOf,
  recordOf,
  startWithdrawApp,
  type WithdrawApp,
} from './support/withdraw-app.ts';

/** Runs a CLI command on the app's database. */
function operator({ settings }: WithdrawApp): (...args: string[]) => Promise<CliResult> {
  const config = join(tempDir('operator'), 'gatehouse.toml');
  writeFileSync(config, stringify(settings));
  return (...args) => runCommand(args, { config });
}

async function unknownAt(app: WithdrawApp, account: string, fault: 'drop_after' | 'drop_before') {
  const opened = await addPlayerWithRole(app, 1000, account);
  app.zone.setFaults([fault]);
  const reply = await app.withdraw(opened.player, opened.body, 'k');
  expect(reply.body.state).toBe('unknown');
  return { ...opened, id: reply.body.withdraw_id as string };
}

const triedIn = (json: string) =>
  JSON.parse(json)
    .filter(({ result }: Record<string, string>) => result !== 'skipped')
    .map(({ check, result }: Record<string, string>) => [check, result]);

describeByTier('the operator', (engine) => {
  test('when a withdrawal is unknown, then an operator finds it and settles it once, with a reason', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const run = operator(app);
    const taken = await unknownAt(app, 'taken', 'drop_after');
    const spared = await unknownAt(app, 'spared', 'drop_before');

    const listed = JSON.parse((await run('withdraw', 'list', '--state', 'unknown', '--json')).stdout);
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([taken.id, spared.id].sort());
    expect((await run('withdraw', 'list', '--account', 'TAKEN')).stdout).toContain(taken.id);
    const shown = JSON.parse((await run('withdraw', 'show', taken.id, '--json')).stdout);
    expect(shown).toMatchObject({ state: 'unknown', amount: 100, balance_before: 1000, account: 'taken' });
    expect(await movesOf(app, taken.id)).toHaveLength(4);
    expect(shown.events).toHaveLength((await eventsOf(app, taken.id)).length);

    const settle = (id: string, state: string) =>
      run('withdraw', 'settle', id, '--state', state, '--reason', 'seen in the game’s log');
    expect(await settle(taken.id, 'done')).toMatchObject({ code: 0 });
    expect(await settle(spared.id, 'failed')).toMatchObject({ code: 0 });

    expect((await app.withdraw(taken.player, taken.body, 'k')).status).toBe(200);
    expect((await app.withdraw(spared.player, spared.body, 'k')).body.code).toBe('deduction_refused');
    expect(await recordOf(app, taken.id)).toMatchObject({ state: 'done', open_key: null });
    const last = (await eventsOf(app, spared.id)).at(-1);
    expect(last).toMatchObject({ from_state: 'unknown', to_state: 'failed' });
    expect(last?.actor).toMatch(/^operator:/);
    expect(JSON.parse(last?.detail ?? '')).toEqual({ reason: 'seen in the game’s log' });
    expect([await daySum(app, taken.player), await daySum(app, spared.player)]).toEqual([100, 0]);

    const twice = await settle(spared.id, 'done');
    expect(twice).toMatchObject({ code: 1, stdout: '' });
    expect(twice.stderr).toContain('is failed; only an unknown one can be settled');
    expect(await daySum(app, spared.player)).toBe(0);
  }, 60_000);

  test('when a command is used wrongly, then one line says so', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const run = operator(app);
    for (const [status, args, words] of [
      [3, ['show', 'nobody'], 'there is no withdrawal nobody'],
      [3, ['settle', 'nobody', '--state', 'done', '--reason', 'x'], 'there is no withdrawal nobody'],
      [2, ['settle', 'nobody', '--state', 'refused', '--reason', 'x'], 'must be one of done, failed'],
      [2, ['settle', 'nobody', '--state', 'done'], '--reason'],
    ] as const) {
      const { code, stderr } = await run('withdraw', ...args);
      expect(code).toBe(status);
      expect(stderr).toContain(words);
    }
  });

  test('when the zone gives receipts, then reconciling settles what is unknown and finds every drift', async () => {
    const settings = { gm: { receipt_operation: 10031, receipt_after: 600 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, zone: { receipts: true } });
    const run = operator(app);
    const { player, role, body } = await addPlayerWithRole(app);
    await app.withdraw(player, body);
    const spared = await unknownAt(app, 'spared', 'drop_before');
    const report = async () => JSON.parse((await run('withdraw', 'reconcile', '--json')).stdout);

    expect(await report()).toEqual([
      {
        server_id: 1,
        done: 1,
        done_amount: 100,
        refused: 0,
        failed: 0,
        open: 0,
        unknown: 1,
        unknown_amount: 100,
        receipts: 1,
        drift: 0,
      },
    ]);

    // The operator was wrong: the game did not deduct what is now `done`.
    await run('withdraw', 'settle', spared.id, '--state', 'done', '--reason', 'a guess');
    expect(await report()).toMatchObject([{ done: 2, unknown: 0, receipts: 2, drift: -100 }]);
    expect((await run('withdraw', 'reconcile')).stdout).toMatch(/server_id +done +done_amount/);
    expect(app.zone.balance(role.id)).toBe(900);
  });

  test('when the reconcile job runs, then one of the instances reports the day before, in log and metrics', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);
    await app.withdraw(player, body);
    const { features, metrics } = app.service;
    const lines: object[] = [];
    const log = {
      info: (fields: object) => void lines.push(fields),
      warn: (fields: object) => void lines.push(fields),
    };
    const job = startReconcileJob({
      lease: { hold: async () => true, release: async () => {} },
      timeZone: 'Asia/Shanghai',
      reconcile: reconcile(features.withdraw),
      report: metrics.setReconciled,
      store: reconciliationStore(app.db),
      log,
      // After four in the morning of the next day, regardless of the current time.
      now: () => Date.now() + 28 * 3600 * 1000,
    });
    await job.run();
    await job.run();
    await job.close();

    expect(lines).toMatchObject([{ server_id: 1, done: 1, done_amount: 100, unknown: 0, drift: null }]);
    const text = await metrics.text();
    expect(text).toContain('gatehouse_withdrawals_reconciled{server_id="1",figure="done_amount"} 100');
    expect(text).toContain('gatehouse_withdrawals_total{state="done"} 1');
  });

  test('when a nightly reconciliation was interrupted, then a later run catches up that day and those since, and closing waits', async () => {
    const db = await openDatabase(await engine.freshUrl());
    onTestFinished(() => db.close());
    await migrate(db);
    const store = reconciliationStore(db);
    const reconciled: string[] = [];
    const open = (night: string, work: () => Promise<void>) =>
      startReconcileJob({
        lease: jobLease(db, 'reconciliation', 60_000),
        timeZone: 'Asia/Shanghai',
        async reconcile({ since }) {
          await work();
          reconciled.push(new Date(since + 8 * 3600 * 1000).toISOString().slice(0, 10));
          return [];
        },
        report: () => {},
        store,
        log: { info: () => {}, warn: () => {} },
        now: () => Date.parse(`${night}T04:00:00+08:00`),
      });
    await store.keep('2026-01-31', []);

    const killed = open('2026-02-02', () => Promise.reject(new Error('killed')));
    await killed.run();
    await killed.close();
    expect(reconciled).toEqual([]);

    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const later = open('2026-02-04', () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const closed = later.close();
    held.resolve();
    await closed;
    expect(reconciled).toEqual(['2026-02-01']);

    const last = open('2026-02-04', async () => {});
    await last.run();
    await last.close();
    expect(reconciled).toEqual(['2026-02-01', '2026-02-02', '2026-02-03']);
  });

  test('when a zone is tested, then no money moves, and with a role and an amount exactly that much', async () => {
    const settings = { gm: { receipt_operation: 10031 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, zone: { receipts: true } });
    const run = operator(app);
    const { role } = await addPlayerWithRole(app);

    const dry = await run('zone', 'test', '1', '--role', String(role.id), '--json');
    expect(dry.code).toBe(0);
    expect(triedIn(dry.stdout)).toEqual([
      ['zone', 'ok'],
      ['caller address', 'ok'],
      ['game database', 'ok'],
      ['role', 'ok'],
      ['GM interface', 'ok'],
      ['answer time', 'ok'],
    ]);
    expect(app.zone.journal()).toEqual([]);

    const real = await run('zone', 'test', '1', '--role', role.name, '--amount', '1', '--json');
    expect(real.code).toBe(0);
    expect(triedIn(real.stdout)).toEqual(
      [
        ...['zone', 'caller address', 'game database', 'role', 'GM interface'],
        ...['unknown role', 'deduction', 'receipt', 'balance', 'answer time'],
      ].map((check) => [check, 'ok']),
    );
    // Sends nothing that this zone, which executes an order twice, would deduct again.
    expect(app.zone.deductions()).toHaveLength(1);
    expect(app.zone.balance(role.id)).toBe(999);
  });

  test('when a zone does not match the settings, then the command says what is wrong', async () => {
    const settings = { zones: { columns: { balance: 'no_such_column' } } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, row: { gm_url: null } });
    const run = operator(app);
    const { code, stdout, stderr } = await run('zone', 'test', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('no_such_column');
    expect(stdout).toContain('the zone has no gm_url');
    expect(stderr).toContain('zone 1: 2 of 4 checks failed');
    const gm_url = `http://127.0.0.1:${await freePort()}/gm`;
    await app.db.kysely.updateTable('server').set({ gm_url }).execute();
    const unreached = await run('zone', 'test', '1', '--json');
    expect(JSON.parse(unreached.stdout)).toContainEqual(
      expect.objectContaining({ check: 'GM interface', result: 'failed' }),
    );
    expect((await run('zone', 'test', '7')).stderr).toContain('there is no zone 7');
    expect((await run('zone', 'test', '1', '--amount', '1')).stderr).toContain('needs --role');
  });
});
