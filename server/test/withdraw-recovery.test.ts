import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startZone } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeByTier, freshMariadbUrl } from '../../test-support/engines.ts';
import { mailText } from '../../test-support/mail.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import type { Failpoint } from '../src/features/withdraw/process/failpoints.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import { startProxy } from './db/proxy.ts';
import {
  addPlayerWithRole,
  backdate,
  daySum,
  eventsOf,
  movesOf,
  openRecords,
  recordOf,
  startWithdrawApp,
  type WithdrawApp,
} from './support/withdraw-app.ts';

const STALE = 16_000;
const TIMEOUT_MS = 40_000;

/** Starts an app that hangs at a failpoint, as if its process had died, until the test is over. */
async function startHangingApp(
  databaseUrl: string,
  failpoint: Failpoint,
  settings: object = {},
): Promise<WithdrawApp & { reachedFailpoint: Promise<void> }> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const { promise: reachedFailpoint, resolve: reach } = Promise.withResolvers<void>();
  const app = await startWithdrawApp(databaseUrl, {
    settings: { ...settings },
    onFailpoint(at) {
      if (at !== failpoint) return;
      reach();
      return over;
    },
  });
  onTestFinished(() => resolve());
  // A dead process runs no recovery.
  await app.service.features.withdraw.close();
  return { ...app, reachedFailpoint };
}

/** Starts a second instance, runs its recovery once, and stops it. */
async function runRecoveryOnce(app: WithdrawApp): Promise<void> {
  const { service } = await app.startInstance();
  await service.features.withdraw.close();
}

/** Longer than any test runs. Tests backdate withdrawals whose receipt must be accepted. */
const receipts = { gm: { receipt_operation: 10031, receipt_after: 60 } };
/** Old enough for recovery, and for a receipt of “not executed”. */
const OLD = 120_000;

/** Starts a mail server for the player that addPlayerWithRole adds. */
async function startMailServer() {
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  const to = 'alice@example.com';
  return {
    settings: { mail: { url: smtp.url } },
    addressPlayer: ({ db }: WithdrawApp) => db.kysely.updateTable('player').set({ email: to }).execute(),
    nextMail: async () => mailText((await smtp.waitForMessage(to)).raw),
  };
}

describeByTier('what a dead process leaves behind', (engine) => {
  test.each(['accepted', 'held', 'checked'] as const)(
    'when it died at “%s”, then another process continues, and takes the amount once',
    async (failpoint) => {
      const mail = await startMailServer();
      const app = await startHangingApp(await engine.freshUrl(), failpoint, mail.settings);
      const { player, body } = await addPlayerWithRole(app);
      await mail.addressPlayer(app);
      void app.withdraw(player, body, 'left').catch(() => {});
      await app.reachedFailpoint;
      const [left] = await openRecords(app);
      const id = left?.id ?? '';
      expect((await recordOf(app, id)).state).toBe('accepted');
      expect(app.zone.requests).toHaveLength(0);

      await backdate(app, id, STALE);
      const second = await app.startInstance();

      await expect.poll(async () => (await recordOf(app, id)).state).toBe('done');
      expect(app.zone.deductions(id)).toHaveLength(1);
      expect((await eventsOf(app, id)).map(({ why }) => why)).toContain('taken over');
      expect((await second.withdraw(player, body, 'left')).body).toMatchObject({
        withdraw_id: id,
        state: 'done',
      });
      const told = await mail.nextMail();
      expect(told).toContain(id);
      expect(told).not.toContain('由客服操作');
    },
  );

  test.each(['claimed', 'answered'] as const)(
    'when it died at “%s”, then the outcome is unknown, and nothing is ever sent again',
    async (failpoint) => {
      const mail = await startMailServer();
      const app = await startHangingApp(await engine.freshUrl(), failpoint, mail.settings);
      const { player, role, body } = await addPlayerWithRole(app);
      await mail.addressPlayer(app);
      void app.withdraw(player, body, 'left').catch(() => {});
      await expect.poll(async () => (await openRecords(app))[0]?.state).toBe('sending');
      const id = (await openRecords(app))[0]?.id ?? '';
      if (failpoint === 'answered') await expect.poll(() => app.zone.deductions(id)).toHaveLength(1);
      const sent = app.zone.requests.length;

      await backdate(app, id, STALE);
      const second = await app.startInstance();
      await expect.poll(async () => (await recordOf(app, id)).state).toBe('unknown');
      expect(await mail.nextMail()).toContain(id);

      const again = await second.withdraw(player, body, 'left');
      expect([again.status, again.body.state]).toEqual([202, 'unknown']);
      expect((await second.withdraw(player, body)).body.code).toBe('withdraw_in_progress');
      expect((await recordOf(app, id)).open_key).toBe(`1:${role.id}`);
      await backdate(app, id, 3_600_000);
      await runRecoveryOnce(app);
      expect((await recordOf(app, id)).state).toBe('unknown');
      expect(app.zone.requests).toHaveLength(sent);
    },
  );

  test('when its zone has moved since, then nothing is sent to either address', async () => {
    const app = await startHangingApp(await engine.freshUrl(), 'accepted');
    const { player, body } = await addPlayerWithRole(app);
    void app.withdraw(player, body).catch(() => {});
    await app.reachedFailpoint;
    const id = (await openRecords(app))[0]?.id ?? '';
    const moved = await startZone({ serverId: 1, database: app.gamesUrl });
    onTestFinished(() => moved.stop());
    await app.db.kysely.updateTable('server').set({ gm_url: moved.gmUrl }).execute();
    await backdate(app, id, STALE);
    await app.startInstance();

    await expect.poll(async () => (await recordOf(app, id)).state).toBe('refused');
    expect((await recordOf(app, id)).result_code).toBe('game_server_unavailable');
    expect([...app.zone.requests, ...moved.requests]).toEqual([]);
    expect(await daySum(app, player)).toBe(0);
  });

  test('when a withdrawal is recent, then recovery does not take it over', async () => {
    const app = await startHangingApp(await engine.freshUrl(), 'held');
    const { player, body } = await addPlayerWithRole(app);
    void app.withdraw(player, body).catch(() => {});
    await expect.poll(() => openRecords(app)).toHaveLength(1);
    const [left] = await openRecords(app);
    const { kysely, now } = app.db;
    await kysely
      .updateTable('withdraw')
      .set(({ eb }) => ({ updated_at: eb(now, '-', 5000) }))
      .execute();
    await runRecoveryOnce(app);
    expect((await eventsOf(app, left?.id ?? '')).map(({ why }) => why)).not.toContain('taken over');
    expect(app.zone.requests).toHaveLength(0);
  });

  test('when more than a second passed since the claim, then it is claimed again and sent once', async () => {
    let claims = 0;
    const onFailpoint = (failpoint: Failpoint) =>
      failpoint === 'claimed' && ++claims === 1 ? sleep(1100) : undefined;
    const app = await startWithdrawApp(await engine.freshUrl(), { onFailpoint });
    const { player, body } = await addPlayerWithRole(app);

    const reply = await app.withdraw(player, body);

    expect([reply.status, reply.body.state]).toEqual([200, 'done']);
    expect(app.zone.deductions()).toHaveLength(1);
    const events = (await eventsOf(app, reply.body.withdraw_id)).map(({ why }) => why);
    // A third time if the process was suspended for a second after the second claim.
    const claimed = events.filter((why) => why?.startsWith('claimed'));
    expect(claimed.slice(0, 2)).toEqual(['claimed', 'claimed again']);
    expect(claimed.length).toBe(claims);
  });

  test('when a game server may take longer, then recovery waits for its answer', async () => {
    const app = await startHangingApp(await engine.freshUrl(), 'answered', { gm: { timeout: 60 } });
    const { player, body } = await addPlayerWithRole(app);
    void app.withdraw(player, body).catch(() => {});
    await app.reachedFailpoint;
    const id = (await openRecords(app))[0]?.id ?? '';
    await backdate(app, id, STALE);
    await runRecoveryOnce(app);
    expect((await recordOf(app, id)).state).toBe('sending');
    await backdate(app, id, 60_000 + STALE);
    await runRecoveryOnce(app);
    expect((await recordOf(app, id)).state).toBe('unknown');
  });

  test('when recovery ended a late claim, then it is not claimed again, nothing is sent, and it fails', async () => {
    const late = Promise.withResolvers<void>();
    const app = await startWithdrawApp(await engine.freshUrl(), {
      onFailpoint: (failpoint) => (failpoint === 'claimed' ? late.promise : undefined),
    });
    const { player, body } = await addPlayerWithRole(app);
    const pending = app.withdraw(player, body);
    await expect.poll(async () => (await openRecords(app))[0]?.state).toBe('sending');
    const id = (await openRecords(app))[0]?.id ?? '';
    await backdate(app, id, STALE);
    await app.startInstance();
    await expect.poll(async () => (await recordOf(app, id)).state).toBe('unknown');
    await sleep(1100);
    late.resolve();

    expect(await pending).toMatchObject({ status: 502, body: { code: 'game_server_unavailable' } });
    expect(app.zone.requests).toHaveLength(0);
    expect((await recordOf(app, id)).state).toBe('failed');
    expect(await daySum(app, player)).toBe(0);
  });

  test('when every claim is late, then nothing is sent', async () => {
    const onFailpoint = (failpoint: Failpoint) => (failpoint === 'claimed' ? sleep(1100) : undefined);
    const app = await startWithdrawApp(await engine.freshUrl(), { onFailpoint });
    const { player, body } = await addPlayerWithRole(app);

    const reply = await app.withdraw(player, body);

    expect([reply.status, reply.body.code]).toEqual([502, 'game_server_unavailable']);
    expect(app.zone.requests).toHaveLength(0);
    // It is no fault of the zone.
    await app.service.features.withdraw.close();
    const zone = app.db.kysely.selectFrom('server').select('gm_failing_since');
    expect(await zone.executeTakeFirst()).toEqual({ gm_failing_since: null });
    expect(await openRecords(app)).toEqual([]);
    expect(await daySum(app, player)).toBe(0);
  });

  test('when the answer arrives after recovery has set it to unknown, then it still counts', async () => {
    const answered = Promise.withResolvers<void>();
    const app = await startWithdrawApp(await engine.freshUrl(), {
      onFailpoint: (failpoint) => (failpoint === 'answered' ? answered.promise : undefined),
    });
    const { player, body } = await addPlayerWithRole(app);
    const pending = app.withdraw(player, body);
    await expect.poll(() => app.zone.deductions()).toHaveLength(1);
    const id = app.zone.deductions()[0]?.order ?? '';
    await backdate(app, id, STALE);
    await app.startInstance();
    await expect.poll(async () => (await recordOf(app, id)).state).toBe('unknown');

    answered.resolve();

    expect((await pending).body).toMatchObject({ state: 'done', balance_after: 900 });
    expect((await movesOf(app, id)).map(({ to_state }) => to_state)).toEqual([
      'accepted',
      'accepted',
      'sending',
      'unknown',
      'done',
    ]);
  });

  test('when the zone gives a receipt, then it settles what was unknown', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: receipts,
      zone: { receipts: true },
    });
    const taken = await addPlayerWithRole(app, 1000, 'taken');
    const spared = await addPlayerWithRole(app, 1000, 'spared');
    app.zone.setFaults(['drop_after', 'drop_before']);
    const first = await app.withdraw(taken.player, taken.body, 'k');
    const second = await app.withdraw(spared.player, spared.body, 'k');
    expect([first.body.state, second.body.state]).toEqual(['unknown', 'unknown']);

    await backdate(app, second.body.withdraw_id, OLD);
    await runRecoveryOnce(app);

    await vi.waitFor(async () => {
      expect((await recordOf(app, first.body.withdraw_id)).state).toBe('done');
      expect((await recordOf(app, second.body.withdraw_id)).state).toBe('failed');
    }, TIMEOUT_MS);
    expect((await app.withdraw(taken.player, taken.body, 'k')).status).toBe(200);
    expect((await app.withdraw(spared.player, spared.body, 'k')).body.code).toBe('deduction_refused');
    expect([await daySum(app, taken.player), await daySum(app, spared.player)]).toEqual([100, 0]);
    expect(app.zone.deductions()).toHaveLength(1);
  });

  test('when the zone’s gm_url is changed, then the new address cannot answer for what was accepted before', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: receipts,
      zone: { receipts: true },
    });
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['drop_before']);
    const { withdraw_id: id } = (await app.withdraw(player, body)).body;

    // The attack: a server that claims everything was executed.
    const liar = createServer((request, response) => {
      const order = new URL(request.url ?? '', 'http://x').searchParams.get('order');
      response.end(JSON.stringify({ result: 0, order, executed: true, amount: body.amount }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void liar.close());
    await once(liar, 'listening');
    const gm_url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/gm`;
    // The state left by a version that stores no addresses. This version adds them at its start, and when the address changes.
    const forget = () => app.db.kysely.updateTable('withdraw').set({ gm_url: null }).execute();
    await forget();
    await runRecoveryOnce(app);
    expect((await recordOf(app, id)).gm_url).toBe(app.zone.gmUrl);
    await forget();
    const actor = { name: 'otto', via: 'cli' } as const;
    await openZoneAdmin({ db: app.db }).set(actor, { serverId: 1, fields: { gm_url } });
    expect((await recordOf(app, id)).gm_url).toBe(app.zone.gmUrl);
    await backdate(app, id, OLD);
    await runRecoveryOnce(app);
    await expect.poll(async () => (await recordOf(app, id)).state).toBe('failed');
    expect((await recordOf(app, id)).gm_url).toBe(app.zone.gmUrl);
  });

  test('when the game is slow, then a receipt of “not executed” is not accepted before its time', async () => {
    const settings = { gm: { timeout: 3, receipt_operation: 10031, receipt_after: 60 } };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings, zone: { receipts: true } });
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['hold']);

    const { body: first } = await app.withdraw(player, body);
    expect(first.state).toBe('unknown');
    const receiptRequests = () => app.zone.requests.filter(({ params }) => params.operid === '10031').length;
    await runRecoveryOnce(app);
    expect(receiptRequests()).toBeGreaterThan(0);
    expect((await recordOf(app, first.withdraw_id)).state).toBe('unknown');

    app.zone.release();
    await expect.poll(() => app.zone.deductions(first.withdraw_id)).toHaveLength(1);
    await runRecoveryOnce(app);
    await expect.poll(async () => (await recordOf(app, first.withdraw_id)).state).toBe('done');
    expect(app.zone.deductions(first.withdraw_id)).toHaveLength(1);
  });

  test('when an exact balance may be proof, then only for a role that was offline all the time', async () => {
    const settings = {
      withdraw: { resolve_by_balance: true },
      gm: { receipt_after: 300 },
      zones: { save_interval: 300, columns: { online: 'circle' } },
    };
    const app = await startWithdrawApp(await engine.freshUrl(), { settings });
    const gone = await addPlayerWithRole(app, 500, 'gone');
    const spared = await addPlayerWithRole(app, 500, 'spared');
    const playing = await addPlayerWithRole(app, 500, 'playing');
    await setCircle(app.gamesUrl, playing.role.id);
    app.zone.setFaults(['drop_after', 'drop_before', 'drop_after']);
    const ids: string[] = [];
    for (const { player, body } of [gone, spared, playing])
      ids.push((await app.withdraw(player, body)).body.withdraw_id);
    await app.zone.save();
    for (const id of ids) await backdate(app, id, 3_600_000);
    await runRecoveryOnce(app);

    await vi.waitFor(async () => {
      const states = await Promise.all(ids.map(async (id) => (await recordOf(app, id)).state));
      expect(states).toEqual(['done', 'failed', 'unknown']);
    }, TIMEOUT_MS);
    await runRecoveryOnce(app);
    expect((await recordOf(app, ids[2] ?? '')).state).toBe('unknown');
  });
});

/** The simulator's game database has no online flag, so an unused column replaces it. */
async function setCircle(gamesUrl: string, roleId: number): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${gamesUrl.slice('sqlite:'.length)}/mir_actor_s1.db`);
  database.prepare('UPDATE actors SET circle = 1 WHERE actorid = ?').run(roleId);
  database.close();
}

test.each(['before', 'after'] as const)(
  'when the connection breaks %s the database has seen a COMMIT, then each withdrawal is taken once',
  async (when) => {
    const proxy = await startProxy(await freshMariadbUrl());
    const settings = { ...receipts, time_zone: zoneAtNoon() };
    const app = await startWithdrawApp(proxy.url, { settings, zone: { receipts: true } });
    const { player, role, body } = await addPlayerWithRole(app, 10_000);

    // The first COMMIT accepts, the second reserves the role, the third claims, the fourth settles.
    for (let nth = 1; nth <= 4; nth++) {
      let commits = 0;
      const stop = onTransaction(app.service, () => {
        commits += 1;
        if (commits === nth) proxy.cutAt('COMMIT', when);
      });
      const key = `cut-${nth}`;
      await app.withdraw(player, body, key);
      stop();
      await vi.waitFor(async () => {
        const open = await openRecords(app);
        // Once for each change: recovery takes over a row only if it has not changed since it was read.
        const young = open.filter(({ updated_at }) => Date.now() - updated_at < OLD);
        for (const { id } of young) await backdate(app, id, OLD);
        if (open.length > 0) await runRecoveryOnce(app);
        expect(open).toEqual([]);
      }, 40_000);
    }

    const records = await app.db.kysely.selectFrom('withdraw').selectAll().execute();
    const done = records.filter(({ state }) => state === 'done');
    expect(
      app.zone
        .deductions()
        .map(({ order }) => order)
        .sort(),
    ).toEqual(done.map(({ id }) => id).sort());
    expect(app.zone.balance(role.id)).toBe(10_000 - done.length * 100);
    expect(await daySum(app, player)).toBe(done.length * 100);
  },
  120_000,
);

/** Calls back before every transaction. */
function onTransaction({ db }: { db: { transaction: unknown } }, notify: () => void): () => void {
  const target = db as { transaction: (...args: unknown[]) => unknown };
  const original = target.transaction;
  target.transaction = (...args) => {
    notify();
    return original(...args);
  };
  return () => {
    target.transaction = original;
  };
}
