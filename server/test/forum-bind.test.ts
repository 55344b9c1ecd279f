import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { mailText, readOutbox } from '../../test-support/mail.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { BIND, type ForumApp, person, startForumApp } from './support/forum-app.ts';
import { type Browser, cookieWith, newBrowser } from './support/forum-browser.ts';
import { PASSWORD } from './support/test-app.ts';
import { stopClock, turnOn } from './support/totp.ts';

const status = (code: string) => ({ body: { code } });

describeByTier('a ticket', (engine) => {
  test('when it is stored, then only as a hash', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const ticket = await app.ticket(person(5, 'Ann Lee'));
    const rows = await app.db.kysely.selectFrom('forum_ticket').selectAll().execute();
    expect(rows).toMatchObject([
      { provider: 'forum', connect_id: '5', profile_name: 'Ann Lee', used_at: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain(ticket);
    expect(rows[0]?.ticket_hash).toMatch(/^[0-9a-f]{64}$/);
    expect((rows[0]?.expires_at ?? 0) - (rows[0]?.created_at ?? 0)).toBe(60_000);
  });

  test('when it is used twice, made up, or a token, then it is refused', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const ticket = await app.ticket(person(5));
    const first = await app.post(BIND, { ticket });
    expect(first.status).toBe(201);
    const again = await app.ticket(person(5));
    expect((await app.post(BIND, { ticket: again })).status).toBe(200);
    for (const bad of [ticket, again, 'x', 'A'.repeat(43), first.body.token.slice(0, 128)]) {
      expect(await app.post(BIND, { ticket: bad })).toMatchObject({
        status: 422,
        ...status('invalid_ticket'),
      });
    }
    expect((await app.get('/api/bind', { token: again })).status).toBe(401);
  });

  test('when 60 seconds have passed by the database clock, then it is refused', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const { kysely, now } = app.db;
    const ticket = await app.ticket(person(5));
    const age = (ms: number) =>
      kysely
        .updateTable('forum_ticket')
        .set(({ eb }) => ({ expires_at: eb(now, '+', 60_000 - ms) }))
        .execute();
    await age(60_001);
    expect(await app.post(BIND, { ticket })).toMatchObject({ status: 422, ...status('invalid_ticket') });
    await age(50_000);
    expect((await app.post(BIND, { ticket })).status).toBe(201);
  });

  test('when another browser presents it, then it neither links nor logs in', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('Victim');
    const attacker = newBrowser();
    const ticket = await app.ticket(person(666, 'Mallory'), { browser: attacker });
    const victim = newBrowser();
    const other = await app.ticket(person(7), { browser: victim });
    const name = `forum_bind_${ticket.slice(0, 8)}`;
    const keyOf = (browser: Browser) => browser.cookies.find((each) => each.name.startsWith('forum_bind_'));
    const typed = { ticket, account: 'Victim', password: PASSWORD };
    for (const cookie of ['', cookieWith(other), `${name}=x`, `${name}=${keyOf(victim)?.value}`]) {
      for (const body of [typed, { ticket }])
        expect(await app.post(BIND, body, { headers: { cookie } })).toMatchObject({
          status: 422,
          ...status('invalid_ticket'),
        });
    }
    expect(await app.db.kysely.selectFrom('player_connect_threeparty').selectAll().execute()).toEqual([]);

    const own = await app.post(
      BIND,
      { ticket },
      { headers: { cookie: `${name}=${keyOf(attacker)?.value}` } },
    );
    expect(own).toMatchObject({ status: 201, body: { account: 'Mallory' } });
    for (const line of own.headers.getSetCookie()) attacker.keep(new URL(app.url), line);
    expect(attacker.cookies).toEqual([]);
  });

  test('when a refusal can be corrected, then the ticket stays valid', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('Old_Hand');
    const ticket = await app.ticket(person(5));
    const wrong = await app.post(BIND, { ticket, account: 'Old_Hand', password: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, ...status('invalid_credentials') });
    const right = await app.post(BIND, { ticket, account: 'Old_Hand', password: PASSWORD });
    expect(right).toMatchObject({ status: 200, body: { account: 'Old_Hand' } });
  });
});

describeByTier('binding', (engine) => {
  test('when account or password is sent alone, or a connect_id too, then the request is invalid', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const ticket = await app.ticket(person(5));
    for (const [extra, field] of [
      [{ account: 'Old_Hand' }, 'password'],
      [{ password: PASSWORD }, 'account'],
      [{ connect_id: '6' }, 'connect_id'],
      [{ provider: 'other' }, 'provider'],
    ] as const) {
      const { status, body } = await app.post(BIND, { ticket, ...extra });
      expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field });
    }
    expect((await app.post(BIND, { ticket })).status).toBe(201);
  });

  test('when the identity is already bound, then another account is refused and its own is not', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('Old_Hand');
    await app.register('Other_Hand');
    const bindTo = async (account: string, password: string) =>
      app.post(BIND, { ticket: await app.ticket(person(5)), account, password });
    expect((await bindTo('Old_Hand', PASSWORD)).status).toBe(200);
    expect(await bindTo('Other_Hand', PASSWORD)).toMatchObject({ status: 409, ...status('already_bound') });
    expect(await bindTo('OLD_HAND', PASSWORD)).toMatchObject({ status: 200, body: { account: 'Old_Hand' } });
    expect(await bindTo('Old_Hand', 'wrong')).toMatchObject({
      status: 401,
      ...status('invalid_credentials'),
    });
    expect(await app.enter(person(5))).toMatchObject({ status: 200, account: 'Old_Hand' });
  });

  test('when passwords are guessed with a ticket, then the login throttle stops it', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('Old_Hand');
    const ticket = await app.ticket(person(5));
    const guess = { ticket, account: 'Old_Hand', password: 'wrong' };
    const answers: number[] = [];
    for (let i = 0; i < 3; i++) answers.push((await app.post(BIND, guess)).status);
    for (let i = 0; i < 3; i++)
      answers.push((await app.post('/api/login', { account: 'Old_Hand', password: 'x' })).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
    const right = await app.post(BIND, { ticket, account: 'Old_Hand', password: PASSWORD });
    expect(right).toMatchObject({ status: 429, ...status('too_many_attempts') });
    expect((await app.post(BIND, { ticket })).status).toBe(201);
  });

  test('when the player is banned, then a forum login is refused too', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const { account } = await app.enter(person(5, 'Bad Egg'));
    const ban = { status: 'banned', ban_reason: 'cheating' };
    await app.db.kysely.updateTable('player').set(ban).where('account', '=', account).execute();
    const refused = await app.post(BIND, { ticket: await app.ticket(person(5)) });
    expect(refused).toMatchObject({ status: 403, body: { code: 'account_suspended', reason: 'cheating' } });
  });

  test('when the player was deleted, then the identity is free again', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.enter(person(5, 'Short Stay'));
    await app.db.kysely.deleteFrom('player').execute();
    expect(await app.enter(person(5, 'Short Stay'))).toMatchObject({ status: 201, account: 'Short_Stay' });
  });

  test('when one person exchanges many tickets concurrently, then one account is made and all exchanges log in', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const tickets: string[] = [];
    for (let i = 0; i < 8; i++) tickets.push(await app.ticket(person(5, 'Many Tabs')));
    const answers = await Promise.all(tickets.map((ticket) => app.post(BIND, { ticket })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.account))).toEqual(new Set(['Many_Tabs']));
    const players = await app.db.kysely.selectFrom('player').select('account').execute();
    expect(players).toHaveLength(1);
  });

  test('when two people bind to one account concurrently, then one succeeds', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('Old_Hand');
    const tickets = [await app.ticket(person(5)), await app.ticket(person(6))];
    const answers = await Promise.all(
      tickets.map((ticket) => app.post(BIND, { ticket, account: 'Old_Hand', password: PASSWORD })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });
});

describeByTier('a link that a game server made', (engine) => {
  /** The attack: a game server binds its own forum identity to another person's account. */
  async function linkedByGame(settings: Record<string, unknown> = {}) {
    const app = await startForumApp(await engine.freshUrl(), settings);
    await app.register('Victim');
    const linked = await app
      .from('127.0.0.1')
      .post('/api/bind_account', { account: 'Victim', connect_id: '666' });
    const forumLogin = async (credentials = {}) =>
      app.post(BIND, { ticket: await app.ticket(person(666)), ...credentials });
    const reset = async () =>
      (await app.db.kysely.selectFrom('player').select('reset_at').executeTakeFirstOrThrow()).reset_at;
    return { app, linked, forumLogin, reset };
  }

  test('when it is first used, then the account’s password is required once, and the owner gets a mail', async () => {
    const { app, linked, forumLogin, reset } = await linkedByGame({ withdraw: { hold_after_reset: 3600 } });
    expect(linked).toMatchObject({ status: 200, body: { account: 'Victim', connect_id: '666' } });
    await app.features.notices.idle();
    const mails = readOutbox(join(app.folder, 'outbox')).map(mailText);
    expect(mails.filter((text) => text.includes('forum：666') && text.includes('密码'))).toHaveLength(1);

    const asked = { status: 422, body: { code: 'account_required', account: 'Victim' } };
    expect(await forumLogin()).toMatchObject(asked);
    expect(await forumLogin({ account: 'Victim', password: 'wrong-guess-1' })).toMatchObject({ status: 401 });
    expect(await forumLogin()).toMatchObject(asked);
    expect(await reset()).toBeNull();

    const confirmed = await forumLogin({ account: 'Victim', password: PASSWORD });
    expect(confirmed).toMatchObject({ status: 200, body: { account: 'Victim' } });
    expect(await forumLogin()).toMatchObject({ status: 200, body: { account: 'Victim' } });
    const { bindings } = (await app.get('/api/bind', { token: confirmed.body.token })).body;
    expect(bindings).toMatchObject([{ provider: 'forum', connect_id: '666' }]);
    expect(await reset()).toBe(Date.parse(bindings[0].bound_at));
  });

  test('when the setting is open, then it logs in without a password, and withdrawals are held while it is recent', async () => {
    const { app, forumLogin, reset } = await linkedByGame({
      withdraw: { hold_after_reset: 3600 },
      game_servers: { bind: 'open' },
    });
    const aged = app.db.kysely
      .updateTable('player_connect_threeparty')
      .set(({ eb }) => ({ created_at: eb('created_at', '-', 3600_000) }));
    expect((await forumLogin()).status).toBe(200);
    expect(await reset()).not.toBeNull();
    await app.db.kysely.updateTable('player').set({ reset_at: null }).execute();
    await aged.execute();
    expect((await forumLogin()).status).toBe(200);
    expect(await reset()).toBeNull();
  });
});

test('when the owner has two-factor login, then the link is confirmed only with password and code', async () => {
  stopClock();
  const app = await startForumApp(freshSqlite());
  const { token } = await app.register('Victim');
  const { recovery } = await turnOn(app, token);
  await app.from('127.0.0.1').post('/api/bind_account', { account: 'Victim', connect_id: '666' });
  const credentials = { account: 'Victim', password: PASSWORD };
  const unconfirmed = async () =>
    (await app.db.kysely.selectFrom('player_connect_threeparty').select('unconfirmed').execute())[0]
      ?.unconfirmed;
  const asked = await app.post(BIND, { ticket: await app.ticket(person(666)), ...credentials });
  expect(asked).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
  expect(await unconfirmed()).toBe(1);
  const [code] = recovery;
  const finished = await app.post('/api/login/second_factor', { challenge: asked.body.challenge, code });
  expect(finished.status).toBe(200);
  expect(await unconfirmed()).toBe(0);
});

test('when bind_account is off, then it is refused and nothing is linked', async () => {
  const app = await startForumApp(freshSqlite(), {
    game_servers: { bind: 'off' },
  });
  await app.register('Victim');
  const game = app.from('127.0.0.1');
  expect(await game.post('/api/bind_account', { account: 'Victim', connect_id: '666' })).toMatchObject({
    status: 403,
    ...status('caller_not_allowed'),
  });
  expect((await game.get('/api/link?connect_id=666')).status).toBe(404);
});

/** Plays a reset that commits between the proof of the password and the link, at the first write in between. */
const resetMeanwhile = ({ db }: ForumApp, write: string) =>
  sql`create trigger reset_meanwhile after ${sql.raw(write)}
    begin update player set token_version = token_version + 1; end`.execute(db.kysely);

test('when the password is reset while somebody links an account with the old one, then nothing is linked', async () => {
  const app = await startForumApp(freshSqlite());
  await app.register('Victim');
  const rows = () => app.db.kysely.selectFrom('player_connect_threeparty').selectAll().execute();
  const orphan = { provider: 'forum', connect_id: '666', player_id: 999 };
  await app.db.kysely.insertInto('player_connect_threeparty').values(orphan).execute();
  await resetMeanwhile(app, 'delete on player_connect_threeparty');
  const ticket = await app.ticket(person(666));
  const linked = await app.post(BIND, { ticket, account: 'Victim', password: PASSWORD });
  expect(linked).toMatchObject({ status: 401, ...status('invalid_credentials') });
  expect(await rows()).toEqual([]);
});

test('when a link is removed while it is used, then its login is refused', async () => {
  const app = await startForumApp(freshSqlite());
  expect((await app.enter(person(666))).status).toBe(201);
  await sql`create trigger unlinked after update of last_login_at on player
    begin delete from player_connect_threeparty; end`.execute(app.db.kysely);
  const refused = await app.post(BIND, { ticket: await app.ticket(person(666)) });
  expect(refused).toMatchObject(status('invalid_ticket'));
});

test('when the password is reset while the code for a link is checked, then nothing is linked and the code stays valid', async () => {
  stopClock();
  const app = await startForumApp(freshSqlite());
  const { token } = await app.register('Victim');
  const { recovery } = await turnOn(app, token);
  const asked = await app.post(BIND, {
    ticket: await app.ticket(person(666)),
    account: 'Victim',
    password: PASSWORD,
  });
  await resetMeanwhile(app, 'update of attempts on login_challenge');
  const [code] = recovery;
  const form = { challenge: asked.body.challenge, code };
  const finished = await app.post('/api/login/second_factor', form);
  expect(finished).toMatchObject({ status: 401, ...status('invalid_credentials') });
  expect(await app.db.kysely.selectFrom('player_connect_threeparty').selectAll().execute()).toEqual([]);

  await sql`drop trigger reset_meanwhile`.execute(app.db.kysely);
  const again = await app.post('/api/login', { account: 'Victim', password: PASSWORD });
  const second = { challenge: again.body.challenge, code };
  expect((await app.post('/api/login/second_factor', second)).status).toBe(200);
});

test.each(['open', 'confirm'])(
  'when a game server links an erased account and the setting is %s, then the account does not exist',
  async (bind) => {
    const app = await startForumApp(freshSqlite(), { game_servers: { bind } });
    const { token } = await app.register('Gone_Away');
    const game = app.from('127.0.0.1');
    const link = (account: string, connect_id: string) =>
      game.post('/api/bind_account', { account, connect_id });
    expect((await link('Gone_Away', '665')).status).toBe(200);
    const { id } = await app.db.kysely.selectFrom('player').select('id').executeTakeFirstOrThrow();
    const erased = { account: `#${id}`, email: '', email_key: null, erased_at: Date.now() };
    await app.db.kysely.updateTable('player').set(erased).execute();

    expect(await link(`#${id}`, '666')).toMatchObject({ status: 404, ...status('account_not_found') });
    expect(await game.get('/api/link?connect_id=665')).toMatchObject({ status: 404 });
    expect(await app.get('/api/account', { token })).toMatchObject({
      status: 401,
      ...status('invalid_token'),
    });
    const login = await app.post('/api/login', { account: `#${id}`, password: PASSWORD });
    expect(login).toMatchObject({ status: 401, ...status('invalid_credentials') });
    expect(await app.enter(person(665, 'New Life'))).toMatchObject({ status: 201, account: 'New_Life' });
  },
);

test('when a game server links an id that reads like a message, then the mail shows only its plain characters', async () => {
  const app = await startForumApp(freshSqlite());
  await app.register('Victim');
  const connect_id = `Win gold: https://evil.example/login?x=${'y'.repeat(60)}`;
  const linked = await app.from('127.0.0.1').post('/api/bind_account', { account: 'Victim', connect_id });
  expect(linked.status).toBe(200);
  await app.features.notices.idle();
  const mails = readOutbox(join(app.folder, 'outbox')).map(mailText);
  const told = mails.find((text) => text.includes('forum：'));
  expect(told).toContain(`forum：Wingoldhttpsevil.exampleloginx${'y'.repeat(10)}…`);
  expect(told).not.toContain('evil.example/');
});
