import type { Route } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines, freshMariadbUrl } from '../../test-support/engines.ts';
import type { Db } from '../src/db/open.ts';
import { opened } from './db/opened.ts';
import { startProxy } from './db/proxy.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator, OPERATOR_PASSWORD } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const reason = 'because it was asked for';
const until = () => new Date(Date.now() + 3_600_000).toISOString();

interface Change {
  readonly path: string;
  readonly body?: object;
  readonly action: string;
  /** Which states the row must contain. */
  readonly tells: '' | 'before' | 'after' | 'before after';
  /** The field of the answer whose value must not appear in the row. */
  readonly secret?: string;
  readonly reasonless?: true;
}

/** Every changing route once, ordered so that each finds what it changes. */
const changes: Record<string, Change> = {
  'POST players/:player_id/ban': {
    path: 'players/1/ban',
    body: { reason, until: until() },
    action: 'player.ban',
    tells: 'before after',
  },
  'POST players/:player_id/unban': {
    path: 'players/1/unban',
    body: { reason },
    action: 'player.unban',
    tells: 'before after',
  },
  'POST players/:player_id/sign_out': {
    path: 'players/1/sign_out',
    body: { reason },
    action: 'player.sign_out',
    tells: 'before after',
  },
  'POST players/:player_id/unlock': {
    path: 'players/1/unlock',
    body: { reason },
    action: 'player.unlock',
    tells: '',
  },
  'POST players/:player_id/mute': {
    path: 'players/1/mute',
    body: { reason, until: '2099-01-01T00:00:00Z' },
    action: 'player.mute',
    tells: 'before after',
  },
  'POST players/:player_id/unmute': {
    path: 'players/1/unmute',
    body: { reason },
    action: 'player.unmute',
    tells: 'before after',
  },
  'POST players/:player_id/reset_password': {
    path: 'players/1/reset_password',
    body: { reason },
    action: 'player.reset_password',
    tells: 'before after',
    secret: 'temporary_password',
  },
  'POST players/:player_id/email': {
    path: 'players/1/email',
    body: { email: 'new@example.com', reason },
    action: 'player.set_email',
    tells: 'before after',
  },
  'POST players/:player_id/notes': {
    path: 'players/1/notes',
    body: { text: 'a note' },
    action: 'player.note',
    tells: 'after',
    reasonless: true,
  },
  'POST zones': {
    path: 'zones',
    body: { server_id: 3, name: 'Three', address: '127.0.0.1', port: 7003, reason },
    action: 'zone.add',
    tells: 'after',
  },
  'PATCH zones/:server_id': {
    path: 'zones/3',
    body: { name: 'Drei', reason },
    action: 'zone.set',
    tells: 'before after',
  },
  'POST zones/status': {
    path: 'zones/status',
    body: { server_ids: [3], status: 'maintenance', message: 'soon', reason },
    action: 'zone.status',
    tells: 'before after',
  },
  'POST zones/:server_id/merge': {
    path: 'zones/3/merge',
    body: { into: 1, reason },
    action: 'zone.merge',
    tells: 'before after',
  },
  'POST withdrawals/:id/settle': {
    path: 'withdrawals/w-1/settle',
    body: { state: 'done', reason },
    action: 'withdraw.settle',
    tells: 'before after',
  },
  'POST promoters': {
    path: 'promoters',
    body: { name: 'Zhang' },
    action: 'promoter.add',
    tells: 'after',
    reasonless: true,
  },
  'PATCH promoters/:agent_id': {
    path: 'promoters/1',
    body: { status: 'closed' },
    action: 'promoter.set',
    tells: 'before after',
    reasonless: true,
  },
  'PUT controls/:name': {
    path: 'controls/day_max_reg',
    body: { value: 5, until: until(), reason },
    action: 'control.set',
    tells: 'before after',
  },
  'DELETE controls/:name': {
    path: 'controls/day_max_reg',
    body: { reason },
    action: 'control.clear',
    tells: 'before',
  },
  'POST controls/deny_ip': {
    path: 'controls/deny_ip',
    body: { entry: '192.0.2.0/24', until: until(), reason },
    action: 'deny.add',
    tells: 'after',
  },
  'DELETE controls/deny_ip/:id': {
    path: 'controls/deny_ip/1',
    body: { reason },
    action: 'deny.remove',
    tells: 'before',
  },
  'POST announcements': {
    path: 'announcements',
    body: { title: 'Hello', body: 'World', level: 'info' },
    action: 'announcement.add',
    tells: 'after',
    reasonless: true,
  },
  'PATCH announcements/:id': {
    path: 'announcements/1',
    body: { level: 'warning' },
    action: 'announcement.set',
    tells: 'before after',
    reasonless: true,
  },
  'DELETE announcements/:id': {
    path: 'announcements/1',
    action: 'announcement.remove',
    tells: 'before',
    reasonless: true,
  },
  'PATCH site': {
    path: 'site',
    body: { title: 'Beacon', reason },
    action: 'site.set',
    tells: 'before after',
  },
  'POST operators': {
    path: 'operators',
    body: { name: 'dora', role: 'viewer' },
    action: 'operator.add',
    tells: 'after',
    secret: 'link',
    reasonless: true,
  },
  'PATCH operators/:name': {
    path: 'operators/dora',
    body: { role: 'support' },
    action: 'operator.set',
    tells: 'before after',
    reasonless: true,
  },
  'POST operators/:name/invite': {
    path: 'operators/dora/invite',
    action: 'operator.invite',
    tells: '',
    secret: 'link',
    reasonless: true,
  },
  'POST keys': {
    path: 'keys',
    body: { name: 'script', role: 'viewer' },
    action: 'key.add',
    tells: 'after',
    secret: 'key',
    reasonless: true,
  },
  'DELETE keys/:name': { path: 'keys/script', action: 'key.revoke', tells: 'before', reasonless: true },
  'POST webhooks': {
    path: 'webhooks',
    body: { url: 'https://203.0.113.9/token-of-a-chat', events: ['player.banned'] },
    action: 'webhook.add',
    tells: 'after',
    secret: 'secret',
    reasonless: true,
  },
  'PATCH webhooks/:id': {
    path: 'webhooks/1',
    body: { paused: true },
    action: 'webhook.set',
    tells: 'before after',
    reasonless: true,
  },
  'POST webhooks/:id/secret': {
    path: 'webhooks/1/secret',
    action: 'webhook.set',
    tells: 'after',
    secret: 'secret',
    reasonless: true,
  },
  'POST webhooks/:id/replay': {
    path: 'webhooks/1/replay',
    body: {},
    action: 'webhook.replay',
    tells: 'after',
    reasonless: true,
  },
  'DELETE webhooks/:id': {
    path: 'webhooks/1',
    action: 'webhook.remove',
    tells: 'before',
    reasonless: true,
  },
  'POST me/password': {
    path: 'me/password',
    body: { old_password: OPERATOR_PASSWORD, password: 'quite another password' },
    action: 'operator.password',
    tells: '',
    reasonless: true,
  },
};

/** Routes that need a game server, an authenticator or a file. Other files that have one test them. */
const triedElsewhere = [
  'POST withdrawals/:id/gm_url',
  'POST withdrawals/:id/receipt',
  'POST players/:player_id/reset_two_factor',
  'POST me/totp/confirm',
  'POST me/totp/remove',
  'PUT site/files/:name',
  'DELETE site/files/:name',
];

test('when the changing routes are listed, then each is tested here or names its own test', () => {
  const changing = Object.values<Route>(adminRoutes).filter(({ method, audit }) => method !== 'GET' && audit);
  const names = changing.map(({ method, path }) => `${method} ${path.slice('/api/admin/'.length)}`);
  expect([...Object.keys(changes), ...triedElsewhere].sort()).toEqual(names.sort());
});

/** Starts the service with an operator who has all permissions, and data to change. */
async function startWithOperator(databaseUrl: string) {
  const app = await startTestApp(databaseUrl, { console: { require_totp: false } });
  const boss = await makeOperator(app);
  const { kysely } = app.db;
  await kysely
    .insertInto('player')
    .values({ account: 'mallory', password_hash: 'a'.repeat(32), email: 'm@example.com' })
    .execute();
  await kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 7001 })
    .execute();
  const withdrawal = { id: 'w-1', player_id: 1, server_id: 1, amount: 5, open_key: '1:1' };
  await kysely
    .insertInto('withdraw')
    .values({ ...withdrawal, state: 'unknown' })
    .execute();
  const parked = { webhook_id: 1, event_id: 'msg_1', type: 'player.banned', body: '{}', state: 'parked' };
  await kysely.insertInto('webhook_delivery').values(parked).execute();
  return { app, boss };
}

/** Returns everything that operators change, including its audit entries. */
async function changeable({ kysely }: Db): Promise<Record<string, unknown>> {
  const names = [
    'player',
    'player_note',
    'server',
    'agent',
    'withdraw',
    'withdraw_event',
    'operator',
    'operator_key',
    'two_factor',
    'recovery_code',
    'control',
    'deny_entry',
    'announcement',
    'webhook',
    'webhook_delivery',
    'site_setting',
    'site_file',
    'audit',
  ] as const;
  const rows = await Promise.all(names.map((name) => kysely.selectFrom(name).selectAll().execute()));
  return Object.fromEntries(names.map((name, index) => [name, rows[index]]));
}

test('when the connection breaks at the commit of a change, then neither the change nor its row exists', async () => {
  const url = await freshMariadbUrl();
  const db = await opened(url);
  const proxy = await startProxy(url);
  const { boss } = await startWithOperator(proxy.url);
  for (const [name, { path, body, action }] of Object.entries(changes)) {
    const [method = ''] = name.split(' ');
    const before = await changeable(db);
    proxy.cutCommitOf(action);
    const broken = await boss.send(method, path, body);
    expect([name, broken.status]).toEqual([name, 503]);
    expect([name, await changeable(db)]).toEqual([name, before]);
    // The rolled-back insert has consumed an id, and later changes rely on ids.
    for (const table of ['agent', 'deny_entry', 'announcement', 'webhook'] as const)
      await sql`ALTER TABLE ${sql.table(table)} AUTO_INCREMENT = 1`.execute(db.kysely);
    const whole = await boss.send(method, path, body);
    expect([name, whole.status < 300]).toEqual([name, true]);
  }
});

describeOnEngines('the audit of the operators’ API', (engine) => {
  test('when every changing route is called once, then each leaves exactly one row with what, why and no secret', async () => {
    const { app, boss } = await startWithOperator(await engine.freshUrl());
    for (const [name, { path, body, action, tells, secret, reasonless }] of Object.entries(changes)) {
      const before = new Set((await auditRows(app.db)).map(({ id }) => id));
      const [method = ''] = name.split(' ');
      const answer = await boss.send(method, path, body);
      expect([name, answer.status < 300, answer.status < 300 ? '' : answer.text]).toEqual([name, true, '']);
      const added = (await auditRows(app.db)).filter(({ id }) => !before.has(id));
      expect([name, added.map((row) => row.action)]).toEqual([name, [action]]);
      const [row] = added;
      if (!row) return expect.fail(name);
      expect([name, row.actor, row.via, row.reason]).toEqual([
        name,
        'boss',
        'console',
        reasonless ? null : reason,
      ]);
      const recorded = [row.before !== null && 'before', row.after !== null && 'after']
        .filter(Boolean)
        .join(' ');
      expect([name, recorded]).toEqual([name, tells]);
      if (answer.body && 'audit_id' in answer.body)
        expect([name, answer.body.audit_id]).toEqual([name, row.id]);
      if (secret) expect([name, JSON.stringify(row).includes(answer.body[secret])]).toEqual([name, false]);
    }
    const everything = JSON.stringify(await auditRows(app.db));
    for (const hidden of [
      OPERATOR_PASSWORD,
      'quite another password',
      'a'.repeat(32),
      'argon2',
      'token-of-a-chat',
    ])
      expect([hidden, everything.includes(hidden)]).toEqual([hidden, false]);
  });
});
