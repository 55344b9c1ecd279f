import { expect } from 'vitest';
import { makeOperator } from './operator.ts';
import { PASSWORD, type TestApp } from './test-app.ts';

export const NAME = 'Wanderer_77';
export const EMAIL = 'wanderer@example.com';
export const ADDRESS = '203.0.113.77';
export const settings = {
  log: { addresses: 'block' },
  console: { require_totp: false },
  code_throttle: { email: { limit: 99, window: 60 } },
};

export async function idOf({ db }: Pick<TestApp, 'db'>, account = NAME): Promise<number> {
  const { id } = await db.kysely
    .selectFrom('player')
    .select('id')
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  return id;
}

/** Creates a player with data in every table that can hold any. */
export async function makePlayer(app: TestApp) {
  const { kysely } = app.db;
  const form = {
    account: NAME,
    password: PASSWORD,
    email: EMAIL,
    device: 'Pixel of Wanderer',
    os: 'Android',
  };
  const owner = app.from(ADDRESS);
  const registered = await owner.post('/api/register', {
    ...form,
    browse: 'Fox 1',
    code: await app.code(EMAIL),
  });
  expect(registered.status).toBe(201);
  const { token } = registered.body;
  const id = await idOf(app);
  await kysely
    .updateTable('player')
    .set({ last_login_ip: ADDRESS, last_login_at: 1, ban_reason: `${NAME} cheats` })
    .execute();
  const binding = { provider: 'forum', connect_id: 'connect-4711' };
  await kysely
    .insertInto('player_connect_threeparty')
    .values({ ...binding, player_id: id })
    .execute();
  await kysely
    .insertInto('forum_ticket')
    .values({ ticket_hash: 't1', ...binding, profile_name: NAME, expires_at: Date.now() + 60_000 })
    .execute();
  await kysely
    .insertInto('forum_account')
    .values({ player_id: id, password_hash: 'f'.repeat(32) })
    .execute();
  await kysely
    .insertInto('entry_ticket')
    .values({
      ticket_hash: 'e1',
      player_id: id,
      server_id: 1,
      used_by: ADDRESS,
      expires_at: Date.now() + 60_000,
    })
    .execute();
  await kysely.insertInto('player_zone').values({ player_id: id, server_id: 1 }).execute();
  await kysely.insertInto('wrong_code').values({ day: '2026-01-01', email: EMAIL, n: 2 }).execute();
  await kysely
    .insertInto('two_factor')
    .values({ owner_kind: 'player', owner_id: id, secret: 'sealed', confirmed_at: null })
    .execute();
  await kysely
    .insertInto('recovery_code')
    .values({ owner_kind: 'player', owner_id: id, code_hash: 'c1' })
    .execute();
  await kysely
    .insertInto('login_challenge')
    .values({
      challenge_hash: 'l1',
      player_id: id,
      kind: 'forum',
      ...binding,
      expires_at: Date.now() + 60_000,
    })
    .execute();
  await kysely
    .insertInto('chat')
    .values([
      { server_id: 1, account: NAME, role: 'Hero', content: 'I am Wanderer_77' },
      { server_id: 1, account: NAME.toLowerCase(), role: `${NAME} II`, content: 'me too' },
      { server_id: 1, account: 'somebody_else', role: 'Other', content: 'hello' },
    ])
    .execute();
  await kysely
    .insertInto('withdraw')
    .values({
      id: 'w-1',
      player_id: id,
      server_id: 1,
      role: '"Hero"',
      role_name: 'Hero',
      amount: 5,
      state: 'done',
    })
    .execute();
  await kysely
    .insertInto('withdraw_event')
    .values({ withdraw_id: 'w-1', seq: 1, to_state: 'done', why: 'connect ECONNREFUSED 10.0.0.5:8080' })
    .execute();
  await kysely
    .insertInto('webhook_delivery')
    .values({
      webhook_id: 1,
      event_id: 'm1',
      type: 'player.banned',
      body: `{"account":"${NAME}"}`,
      player_id: id,
    })
    .execute();
  await kysely.insertInto('withdraw_day').values({ player_id: id, day: '2026-11-16', amount: 5 }).execute();
  const boss = await makeOperator(app, { role: 'admin' });
  await boss.post(`players/${id}/notes`, { text: `${NAME} wrote from ${EMAIL}` });
  await boss.post(`players/${id}/email`, { email: 'typo@example.com', reason: `${NAME} asked` });
  await boss.post(`players/${id}/email`, { email: EMAIL, reason: 'typo' });
  await boss.get(`players?q=${NAME}`, { headers: { accept: 'text/csv' } });
  await boss.get(`players?q=${ADDRESS}`, { headers: { accept: 'text/csv' } });
  await owner.post('/api/login', { account: NAME, password: 'wrong' });
  await app.features.history.flush();
  const login = await owner.post('/api/login', { account: NAME, password: PASSWORD });
  await app.features.history.flush();
  return { id, token: login.body.token as string, first: token as string, boss };
}
