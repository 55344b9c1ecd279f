import { type WebhookEventType, webhookData, webhookEventTypes } from '@gatehouse/contract/admin';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { deleteInBatches } from '../src/db/delete-in-batches.ts';
import type { Db } from '../src/db/open.ts';
import { createEnqueue, enqueueEvent, readSubscribers } from '../src/db/outbox.ts';
import type { Trx } from '../src/db/transaction.ts';
import { deliverDue } from '../src/features/webhooks/deliver.ts';
import { webhookStore } from '../src/features/webhooks/store.ts';
import { openSubscribers } from '../src/features/webhooks/subscribers.ts';
import { watch } from '../src/features/webhooks/watch.ts';
import { watchStore } from '../src/features/webhooks/watch-store.ts';
import { validator } from '../src/http/validation.ts';
import { createSealer } from '../src/security/sealer.ts';
import { migrated, migratedAt } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator, type OperatorClient } from './support/operator.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { type Received, startReceiver } from './support/webhook-receiver.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

// server/test/webhooks.slow.test.ts kills processes and receivers.

const settings = { console: { require_totp: false }, webhooks: { private: true } };

async function addWebhook(boss: OperatorClient, fields: object) {
  const { status, body, text } = await boss.post('webhooks', fields);
  if (status !== 201) throw new Error(text);
  return body as { id: number; secret: string };
}

const typesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).type).sort();

/** Checks that the data of an event is what the contract says. */
const conforms = ({ body }: Received) => {
  const { type, data } = JSON.parse(body) as { type: WebhookEventType; data: unknown };
  return validator(webhookData[type])(data);
};

describeOnEngines('webhooks', (engine) => {
  test('when many are added concurrently, then no more than 32 are accepted', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const boss = await makeOperator(app);
    for (let left = 28; left > 0; left--) await addEndpoint(app.db, ['player.banned']);
    const fields = { url: 'http://127.0.0.1:9/', events: ['player.banned'] };
    const answers = await Promise.all(Array.from({ length: 8 }, () => boss.post('webhooks', fields)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([statuses.get(201)?.length, statuses.get(400)?.length]).toEqual([4, 4]);
  });

  test('when an event occurs, then each webhook that wants it gets it, signed with its secret', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    // Its events would appear among those of this test.
    await app.features.webhooks.watchJob.close();
    const boss = await makeOperator(app);
    const [all, bans] = [await startReceiver(), await startReceiver()];
    const webhook = await addWebhook(boss, { url: all.url, events: webhookEventTypes });
    await addWebhook(boss, { url: bans.url, events: ['player.banned'] });
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 7001 })
      .execute();

    await app.register('wanderer');
    await boss.post('players/1/ban', { reason: 'bot' });
    await app.cli('player', 'unban', 'wanderer');
    await boss.post('zones/status', {
      server_ids: [1],
      status: 'maintenance',
      message: 'patch',
      reason: 'x',
    });
    const player = { player_id: 1, account: 'wanderer' };
    await expect
      .poll(() => typesOf(all.received))
      .toEqual(['player.banned', 'player.registered', 'player.unbanned', 'zone.status']);
    await expect.poll(() => typesOf(bans.received)).toEqual(['player.banned']);
    for (const each of all.received) {
      expect(new Webhook(webhook.secret).verify(each.body, each.headers)).toBeTruthy();
      conforms(each);
    }
    const [banned] = bans.received;
    expect(() => new Webhook(webhook.secret).verify(banned?.body ?? '', banned?.headers ?? {})).toThrow();
    expect(JSON.parse(banned?.body ?? '')).toEqual({
      type: 'player.banned',
      timestamp: expect.stringMatching(/Z$/),
      data: { ...player, reason: 'bot', until: null, by: 'boss' },
    });
    const everything = JSON.stringify(all.received);
    for (const hidden of ['wanderer@example.com', PASSWORD, '198.18.'])
      expect(everything).not.toContain(hidden);

    // For a day both secrets sign.
    const rotated = await boss.post(`webhooks/${webhook.id}/secret`);
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await boss.post(`webhooks/${webhook.id}/test`)).body).toMatchObject({
      delivered: true,
      status: 204,
    });
    const last = all.received.at(-1) ?? expect.fail();
    expect(last.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [webhook.secret, rotated.body.secret])
      expect(new Webhook(secret).verify(last.body, last.headers)).toMatchObject({ type: 'webhook.test' });
    await app.db.kysely.updateTable('webhook').set({ previous_until: 1 }).execute();
    await boss.post(`webhooks/${webhook.id}/test`);
    const after = all.received.at(-1) ?? expect.fail();
    expect(() => new Webhook(webhook.secret).verify(after.body, after.headers)).toThrow();
    const [stored] = await app.db.kysely.selectFrom('webhook').select('secret').execute();
    expect(stored?.secret).toMatch(/^s1:/);
  });

  test('when the receiver fails, then delivery is retried with growing pauses for 24 hours, then parked', async () => {
    const plain = await migrated(engine);
    let clock = 1_800_000_000_000;
    const db: Db = {
      ...plain,
      get now() {
        return sql<number>`${sql.lit(clock)}`;
      },
    };
    const store = webhookStore(db, createSealer(['k'.repeat(32)]));
    await addEndpoint(db, ['player.deleted']);
    await db.transaction((trx) => enqueueEvent(trx, { type: 'player.deleted', data: { player_id: 7 } }));
    await db.kysely.updateTable('webhook_delivery').set({ next_at: clock, created_at: clock }).execute();
    let status = 500;
    const outcomes: string[] = [];
    const attempts: number[] = [];
    const deliver = deliverDue({
      store,
      async attempt() {
        attempts.push(clock);
        const delivered = status === 204;
        return {
          delivered,
          status,
          answer: 'sorry',
          error: delivered ? null : 'answered 500',
          durationMs: 1,
        };
      },
      counted: (outcome) => outcomes.push(outcome),
      onFailpoint: () => {},
      webhookIds: () => [1],
      log: { warn: () => {} },
    });
    const row = () => db.kysely.selectFrom('webhook_delivery').selectAll().executeTakeFirstOrThrow();
    const run = () => deliver(1, new AbortController().signal);
    while ((await row()).state === 'pending') {
      await run();
      await run();
      clock = (await row()).next_at;
    }
    const waits = attempts.slice(1).map((at, index) => (at - (attempts[index] ?? 0)) / 1000);
    expect(waits.slice(0, 3)).toEqual([5, 30, 120]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThanOrEqual(24 * 3600);
    expect(outcomes).toEqual([...waits.map(() => 'failed'), 'parked']);
    expect(await row()).toMatchObject({ state: 'parked', status: 500, answer: 'sorry', claim: null });
    expect(await store.figures([1])).toMatchObject({ parked: 1 });

    // A killed process leaves a claim, which another one takes over when its lease ends.
    await db.kysely
      .updateTable('webhook_delivery')
      .set({ state: 'pending', attempts: 0, next_at: clock })
      .execute();
    expect(await store.claim([1], 'killed', 20_000)).toHaveLength(1);
    expect(await store.claim([1], 'other', 20_000)).toEqual([]);
    status = 204;
    await run();
    expect((await row()).state).toBe('pending');
    clock += 20_000;
    await run();
    expect(await row()).toMatchObject({ state: 'delivered', attempts: 2 });
    const late = { id: 1, claim: 'killed', delivered: false, retryAfterMs: 1 };
    await store.finish([{ ...late, status: null, answer: null, error: 'late', durationMs: 1 }]);
    expect((await row()).state).toBe('delivered');

    clock += 31 * 24 * 3600 * 1000;
    const old = {
      name: 'old',
      deleteOldest: (limit: number) => store.deleteOlderThan(30 * 86_400_000, limit),
    };
    expect(await deleteInBatches([old])).toBe(1);
  });

  test('when a webhook is paused, resumed, replayed and removed, then its deliveries follow', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const boss = await makeOperator(app);
    const [paused, other] = [await startReceiver(), await startReceiver()];
    paused.answer = (response) => void response.writeHead(500).end('broken');
    const { id } = await addWebhook(boss, { url: paused.url, events: ['player.registered'] });
    await addWebhook(boss, { url: other.url, events: ['player.registered'] });
    await boss.send('PATCH', `webhooks/${id}`, { paused: true, description: 'CRM' });
    await app.register('first_one');
    await expect.poll(() => other.received.length).toBe(1);
    // The delivery ends when its outcome is written, after the receiver has answered.
    await expect
      .poll(async () => (await boss.get('webhooks')).body)
      .toMatchObject({
        webhooks: [{ pending: 0 }, { id, pending: 1, parked: 0, paused: true, description: 'CRM' }],
        next: null,
      });
    expect(paused.received).toEqual([]);

    // As after five attempts: the next retry is an hour away, not five seconds.
    await app.db.kysely
      .updateTable('webhook_delivery')
      .set({ attempts: 5 })
      .where('webhook_id', '=', id)
      .execute();
    await boss.send('PATCH', `webhooks/${id}`, { paused: false });
    await expect.poll(() => paused.received.length).toBe(1);
    const deliveries = async (query = '') =>
      (await boss.get(`webhooks/${id}/deliveries${query}`)).body.deliveries;
    await expect
      .poll(() => deliveries())
      .toMatchObject([
        {
          state: 'pending',
          attempts: 6,
          status: 500,
          answer: 'broken',
          error: 'answered 500',
          type: 'player.registered',
        },
      ]);
    await app.db.kysely
      .updateTable('webhook_delivery')
      .set({ state: 'parked' })
      .where('webhook_id', '=', id)
      .execute();
    expect((await app.cli('doctor', '--only', 'webhooks')).stdout).toContain(`1 of webhook ${id}`);
    const [parked] = await deliveries('?state=parked');
    expect(await deliveries('?state=delivered')).toEqual([]);
    paused.answer = (response) => void response.writeHead(200).end('thanks');
    expect((await boss.post(`webhooks/${id}/replay`)).body).toMatchObject({ replayed: 1 });
    await expect.poll(() => deliveries()).toMatchObject([{ state: 'delivered', answer: 'thanks' }]);
    expect((await boss.post(`webhooks/${id}/replay`)).body).toEqual({ replayed: 0, audit_id: null });
    expect((await boss.post(`webhooks/${id}/replay`, { delivery_id: parked.id })).body.replayed).toBe(1);
    await expect.poll(() => paused.received.length).toBe(3);
    const ids = new Set(paused.received.map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([parked.event_id]);
    expect((await boss.post(`webhooks/${id}/replay`, { delivery_id: 987 })).status).toBe(404);
    expect(await app.metrics.text()).toContain('gatehouse_webhook_deliveries_total{outcome="delivered"}');

    expect((await boss.send('DELETE', `webhooks/${id}`)).status).toBe(200);
    expect((await boss.get(`webhooks/${id}/deliveries`)).status).toBe(404);
    await app.db.kysely.updateTable('webhook').set({ removed_at: 1 }).where('id', '=', id).execute();
    await deleteInBatches(app.features.webhooks.sweeps ?? []);
    const left = await app.db.kysely.selectFrom('webhook_delivery').select('webhook_id').execute();
    expect(left.filter((each) => each.webhook_id === id)).toEqual([]);
    const { stdout } = await app.cli('webhook', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ url: other.url, parked: 0 }]);
  });

  test('when zones, logins and checks go wrong, then each trouble is reported once, logins in groups', async () => {
    const db = await migrated(engine);
    await addEndpoint(db, ['zone.down', 'zone.up', 'operator.login_failed', 'doctor.failing']);
    const zone = { serverId: 5, name: 'Five', isDown: true, answers: false };
    let failing = [{ check: 'mail', detail: 'refused' }];
    let elapsed = 0;
    const round = watch({
      store: watchStore(db),
      enqueue: enqueueEvent,
      transaction: db.transaction,
      isWanted: () => true,
      zones: () => [zone],
      failing: async () => failing,
      elapsed: () => elapsed,
    });
    const minuteLater = async () => {
      elapsed += 11 * 60_000;
      await round();
    };
    const reported = async () => {
      const rows = await db.kysely.selectFrom('webhook_delivery').select('body').orderBy('id').execute();
      await db.kysely.deleteFrom('webhook_delivery').execute();
      return rows.map(({ body }) => {
        conforms({ body, headers: {} });
        const { type, data } = JSON.parse(body);
        return { type, ...data };
      });
    };
    await minuteLater();
    expect(await reported()).toEqual([{ type: 'doctor.failing', failing }]);
    const failure = { actor: 'olga', via: 'console', action: 'operator.login_failed', at: Date.now() - 4000 };
    const rows = ['a', 'b', 'c'].map((id) => ({ ...failure, id, ...(id === 'c' && { actor: 'unknown' }) }));
    await db.kysely.insertInto('audit').values(rows).execute();
    await db.kysely
      .updateTable('watch_state')
      .set({ value: String(Date.now() - 60_000) })
      .where('name', '=', 'operator.login_failed')
      .execute();
    await minuteLater();
    expect(await reported()).toMatchObject([
      { type: 'zone.down', server_id: 5, name: 'Five' },
      {
        type: 'operator.login_failed',
        count: 3,
        operators: [
          { name: 'olga', count: 2 },
          { name: 'unknown', count: 1 },
        ],
      },
    ]);
    failing = [];
    await minuteLater();
    expect(await reported()).toEqual([]);
    Object.assign(zone, { isDown: false, answers: true });
    failing = [{ check: 'mail', detail: 'refused again' }];
    await minuteLater();
    expect(await reported()).toMatchObject([{ type: 'zone.up', server_id: 5 }, { type: 'doctor.failing' }]);
  });
});

/** Adds a webhook without the operators' rules. Its secret cannot be opened. */
async function addEndpoint({ kysely }: Db, events: readonly WebhookEventType[]): Promise<void> {
  await kysely
    .insertInto('webhook')
    .values({ url: 'https://example.com/', events: JSON.stringify(events) })
    .execute();
}

test('when no webhook wants an event, then it costs no statement, and a webhook not read lately is read', async () => {
  const event = { type: 'player.deleted', data: { player_id: 7 } } as const;
  const untouchable = {} as Trx;
  await createEnqueue(() => [])(untouchable, event);
  await createEnqueue(() => [{ id: 1, events: ['player.banned'] }])(untouchable, event);

  const db = await migratedAt(`sqlite:${tempDir('webhooks')}/gatehouse.db`);
  let isDatabaseDown = false;
  const read = () => (isDatabaseDown ? Promise.reject(new Error('down')) : readSubscribers(db.kysely));
  const subscribers = await openSubscribers({ read, log: { warn: () => {} } });
  await subscribers.close();
  expect(subscribers.recent()).toEqual([]);
  await addEndpoint(db, ['player.deleted']);
  isDatabaseDown = true;
  await subscribers.refresh();
  expect(subscribers.recent()).toEqual([]);
  // As if the last read had been long ago.
  const enqueue = createEnqueue(() => undefined);
  await db.transaction((trx) => enqueue(trx, event));
  expect(await db.kysely.selectFrom('webhook_delivery').select('webhook_id').execute()).toEqual([
    { webhook_id: 1 },
  ]);
});

test('when a webhook is added, changed and tested on the command line, then it works as in the console', async () => {
  const auth = { seal_key: ['s'.repeat(32)] };
  const app: TestApp = await startTestApp(`sqlite:${tempDir('webhooks')}/gatehouse.db`, {
    ...settings,
    auth,
  });
  const receiver = await startReceiver();
  const added = await app.cli('webhook', 'add', receiver.url, '--events', 'zone.status', '--json');
  const { id, secret } = JSON.parse(added.stdout) as { id: number; secret: string };
  expect(secret).toMatch(/^whsec_/);
  expect((await app.cli('webhook', 'test', String(id))).stdout).toContain('delivered: answered 204');
  const stored = () => app.db.kysely.selectFrom('webhook').select('secret').executeTakeFirst();
  const sealed = await stored();
  expect((await app.cli('player', 'unseal')).code).toBe(0);
  expect(await stored()).not.toEqual(sealed);
  await app.cli('webhook', 'test', String(id));
  const last = receiver.received.at(-1) ?? expect.fail();
  expect(new Webhook(secret).verify(last.body, last.headers)).toMatchObject({ type: 'webhook.test' });
  const set = await app.cli('webhook', 'set', String(id), '--pause', '--format', 'discord', '--reason', 'x');
  expect(set.stdout).toContain('changed');
  expect((await app.cli('webhook', 'set', String(id), '--new-secret')).stdout).toMatch(/^whsec_/);
  expect((await app.cli('webhook', 'deliveries', String(id))).stdout).toContain('no deliveries');
  expect((await app.cli('webhook', 'replay', String(id))).stdout).toContain('0 deliveries');
  expect((await app.cli('webhook', 'remove', String(id))).code).toBe(0);
  expect((await app.cli('webhook', 'remove', String(id))).code).toBe(3);
  const metadata = await app.cli('webhook', 'add', 'http://169.254.169.254/', '--events', 'zone.status');
  expect([metadata.code, metadata.stderr]).toEqual([1, expect.stringContaining('url: leads to an address')]);
  const rows = (await auditRows(app.db)).filter(({ subject_kind }) => subject_kind === 'webhook');
  expect(rows.map(({ action }) => action)).toEqual([
    'webhook.add',
    'webhook.set',
    'webhook.set',
    'webhook.remove',
  ]);
  expect(JSON.stringify(rows)).not.toContain('/hook');
});

test('when a withdrawal is done, then its event names the role', async () => {
  const app = await startWithdrawApp(freshSqlite(), { settings });
  const receiver = await startReceiver();
  await addWebhook(await makeOperator(app), { url: receiver.url, events: ['withdraw.done'] });
  const { player, role, body } = await addPlayerWithRole(app);
  expect((await app.withdraw(player, body)).status).toBe(200);
  await expect.poll(() => typesOf(receiver.received)).toEqual(['withdraw.done']);
  const { data } = JSON.parse(receiver.received[0]?.body ?? '');
  expect(data).toMatchObject({ role_id: role.id, role_name: role.name, state: 'done' });
});
