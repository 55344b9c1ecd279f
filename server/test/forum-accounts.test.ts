import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { mailText, readOutbox, waitForOutboxMail } from '../../test-support/mail.ts';
import { accountNames } from '../src/features/forum/register-forum-player.ts';
import { BIND, person, startForumApp } from './support/forum-app.ts';
import { PASSWORD } from './support/test-app.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const codesAtWill = { code_throttle: { email: { limit: 99, window: 60 } } };

describeByTier('an account made by a forum login', (engine) => {
  test('when it is made, then it is stored like a registration, with the promoter', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const { kysely } = app.db;
    await kysely.insertInto('agent').values({ agent_id: 7, name: 'Promoter' }).execute();
    const ticket = await app.ticket(person(5, 'Jürgen Müller'));
    const made = await app.from('2001:db8::5').post(BIND, { ticket, agent_id: 7 });
    expect(made).toMatchObject({ status: 201, body: { account: 'Jurgen_Muller' } });
    const row = await kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ agent_id: 7, ip: '2001:db8::5', email: '', email_key: null });
    const counted = await kysely.selectFrom('day_counter').select('n').executeTakeFirstOrThrow();
    expect(counted.n).toBe(1);
  });

  test('when the promoter is invalid, then the registration continues without one', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const odd: unknown[] = [
      '999',
      '',
      null,
      -1,
      1.5,
      {},
      [],
      { toString: 1 },
      [{ toString: 1 }],
      true,
      "1'--",
      'x'.repeat(5000),
    ];
    for (const [id, agent_id] of odd.entries()) {
      const { status } = await app.post(BIND, { ticket: await app.ticket(person(id + 1)), agent_id });
      expect({ agent_id, status }).toEqual({ agent_id, status: 201 });
    }
    const rows = await app.db.kysely.selectFrom('player').select('agent_id').execute();
    expect(rows).toEqual(odd.map(() => ({ agent_id: null })));
  });

  test('when its name is taken, reserved or unreadable, then another is chosen', async () => {
    const app = await startForumApp(await engine.freshUrl());
    await app.register('ann_lee');
    expect((await app.enter(person(1, 'Ann Lee'))).account).toMatch(/^Ann_Lee_\d{4}$/);
    expect((await app.enter(person(2, 'Admin'))).account).toMatch(/^Admin_\d{4}$/);
    expect((await app.enter(person(3, '夜雨'))).account).toMatch(/^forum_\d{8}$/);
    expect((await app.enter(person(4))).account).toMatch(/^forum_\d{8}$/);
    expect((await app.enter(person(5, { first: 'Ann' }))).account).toMatch(/^forum_\d{8}$/);
    expect((await app.enter(person(6, 'Bo'))).account).toMatch(/^Bo_\d{4}$/);
    expect((await app.enter(person(7, 'x'.repeat(500)))).account).toBe('x'.repeat(24));
  });

  test('when the day is full, then nobody is registered, the ticket stays valid, and known players still log in', async () => {
    const app = await startForumApp(await engine.freshUrl(), { day_max_reg: 2 });
    await app.register('Old_Hand');
    const tickets: string[] = [];
    for (let id = 1; id <= 6; id++) tickets.push(await app.ticket(person(id)));
    const answers = await Promise.all(tickets.map((ticket) => app.post(BIND, { ticket })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 429, 429, 429, 429, 429]);
    const refused = answers.findIndex((answer) => answer.status === 429);
    expect(answers[refused]?.body.code).toBe('registration_cap_reached');
    expect(Number(answers[refused]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const ticket = tickets[refused];
    const bound = await app.post(BIND, { ticket, account: 'Old_Hand', password: PASSWORD });
    expect(bound).toMatchObject({ status: 200, body: { account: 'Old_Hand' } });
    expect((await app.enter(person(refused + 1))).status).toBe(200);
    const { kysely } = app.db;
    expect(await kysely.selectFrom('player').select('id').execute()).toHaveLength(2);
    expect(await kysely.selectFrom('forum_account').selectAll().execute()).toHaveLength(1);
  });

  test('when registration is closed, then a forum login does not register either', async () => {
    const app = await startForumApp(await engine.freshUrl(), { day_max_reg: 0 });
    const refused = await app.post(BIND, { ticket: await app.ticket(person(1)) });
    expect(refused).toMatchObject({ status: 429, body: { code: 'registration_cap_reached' } });
    expect(refused.body.detail).toContain('closed');
  });

  test('when nobody knows its password, then nobody logs in with one, and old game clients still work', async () => {
    const app = await startForumApp(await engine.freshUrl(), { auth: { game_token: 'legacy' } });
    const { kysely } = app.db;
    await kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 7000 })
      .execute();
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    const { account, token } = await app.enter(person(1, 'Ann Lee'));
    const { password_hash } = await kysely
      .selectFrom('player')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    expect(password_hash).toMatch(/^[0-9a-f]{32}$/);
    for (const password of [' ', password_hash, account, '0'.repeat(32)]) {
      expect((await app.post('/api/login', { account, password })).status).toBe(401);
    }
    const entered = await app.post('/api/enter_game', { server_id: 1 }, { token });
    expect(entered.body.token).toBe(password_hash);
    expect((await app.post('/api/check', { account, token: password_hash })).status).toBe(200);
  });

  test('when an old account has no hash at all, then its owner logs in by the forum and nothing matches the hash', async () => {
    const settings = { auth: { game_token: 'legacy' }, game_servers: { bind: 'open' } };
    const app = await startForumApp(await engine.freshUrl(), settings);
    const { kysely } = app.db;
    await kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 7000 })
      .execute();
    await kysely.insertInto('player').values({ account: 'hollow' }).execute();
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    await app.from('127.0.0.1').post('/api/bind_account', { account: 'hollow', connect_id: '1' });
    for (const token of ['0'.repeat(32), md5('old-generation-key'), md5('')]) {
      expect((await app.post('/api/check', { account: 'hollow', token })).status).toBe(401);
    }
    const { account, token } = await app.enter(person(1));
    expect(account).toBe('hollow');
    const entered = await app.post('/api/enter_game', { server_id: 1 }, { token });
    expect((await app.post('/api/check', { account, token: entered.body.token })).body.format).toBe('jwt');
    expect(await app.send('DELETE', '/api/bind/forum', { token })).toMatchObject({
      status: 409,
      body: { code: 'only_way_in' },
    });
  });
});

describeByTier('removing a binding', (engine) => {
  test('when it does not exist, then it is not found; when the account has a password, then it is removed', async () => {
    const app = await startForumApp(await engine.freshUrl());
    const { token } = await app.register('Old_Hand');
    expect(await app.send('DELETE', '/api/bind/forum', { token })).toMatchObject({ status: 404 });
    await app.post(BIND, {
      ticket: await app.ticket(person(5)),
      account: 'Old_Hand',
      password: PASSWORD,
    });
    expect((await app.get('/api/bind', { token })).body.bindings).toHaveLength(1);
    expect(await app.send('DELETE', '/api/bind/forum', { token })).toMatchObject({
      status: 200,
      body: { bindings: [] },
    });
    await app.features.notices.idle();
    const mails = readOutbox(join(app.folder, 'outbox')).map(mailText);
    expect(mails.filter((text) => text.includes('forum was unlinked'))).toHaveLength(1);
    expect(await app.enter(person(5, 'Stranger'))).toMatchObject({ status: 201, account: 'Stranger' });
  });

  test('when it is the only way to log in, then it stays, until the password is set by mail', async () => {
    const app = await startForumApp(await engine.freshUrl(), codesAtWill);
    const { token, account } = await app.enter(person(5, 'Ann Lee'));
    const refused = await app.send('DELETE', '/api/bind/forum', { token });
    expect(refused).toMatchObject({ status: 409, body: { code: 'only_way_in' } });
    expect((await app.get('/api/bind', { token })).body.bindings).toHaveLength(1);

    const email = 'ann@example.com';
    await app.db.kysely.updateTable('player').set({ email }).execute();
    const code = await app.code(email);
    expect((await app.post('/api/reset_password', { email, code, password: PASSWORD })).status).toBe(200);
    const { body } = await app.post('/api/login', { account, password: PASSWORD });
    const removed = await app.send('DELETE', '/api/bind/forum', { token: body.token });
    expect(removed).toMatchObject({ status: 200, body: { bindings: [] } });
  });

  test('when a password is reset by mail, then bindings stay and the owner is notified of them, or they end if requested', async () => {
    const app = await startForumApp(await engine.freshUrl(), codesAtWill);
    const email = 'owner@example.com';
    await app.register('Old_Hand', { email });
    await app.register('Neighbour');
    await app.post(BIND, { ticket: await app.ticket(person(4)), account: 'Neighbour', password: PASSWORD });
    await app.post(BIND, { ticket: await app.ticket(person(5)), account: 'Old_Hand', password: PASSWORD });
    const outbox = join(app.folder, 'outbox');
    let seen: string[] = [];
    async function reset(form: object) {
      const code = await app.code(email);
      await app.features.notices.idle();
      seen = readOutbox(outbox);
      const answer = await app.post('/api/reset_password', { email, code, password: PASSWORD, ...form });
      return [answer.status, answer.body.code ?? answer.body];
    }
    const nextNotice = async () => mailText(await waitForOutboxMail(outbox, email, seen));

    expect(await reset({ unbind: 'true' })).toEqual([400, 'invalid_request']);
    // A refused reset removes no binding.
    expect(await reset({ unbind: true, password: 'short' })).toEqual([422, 'weak_password']);
    expect(await reset({})).toEqual([200, { account: 'Old_Hand' }]);
    const kept = await nextNotice();
    expect(kept).toContain('(5)');
    expect(kept).toContain('/account/bindings');
    expect(await app.enter(person(5))).toMatchObject({ status: 200, account: 'Old_Hand' });

    expect(await reset({ unbind: true })).toEqual([200, { account: 'Old_Hand' }]);
    const ended = await nextNotice();
    expect(ended).toContain('(5)');
    expect(ended).not.toContain('/account/bindings');
    expect(await app.enter(person(5, 'Stranger'))).toMatchObject({ status: 201, account: 'Stranger' });
    expect(await app.enter(person(4))).toMatchObject({ status: 200, account: 'Neighbour' });
  });

  test('when there are two and no password, then one can be removed, and never both, even concurrently', async () => {
    const app = await startForumApp(await engine.freshUrl(), async (_url, plain) => ({
      providers: { guild: plain },
    }));
    for (let id = 1; id <= 4; id++) {
      const { token, account } = await app.enter(person(id));
      const reply = await app.from('127.0.0.1').post('/api/bind_account', {
        account,
        connect_id: `g${id}`,
        provider: 'guild',
      });
      expect(reply.status).toBe(200);
      const answers = await Promise.all(
        ['forum', 'guild', 'forum', 'guild'].map((name) =>
          app.send('DELETE', `/api/bind/${name}`, { token }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await app.get('/api/bind', { token })).body.bindings).toHaveLength(1);
    }
  });
});

test('when an account name is made from any name, then it is one that could be registered', () => {
  const provider = fc.stringMatching(/^[a-z0-9_-]{1,32}$/);
  fc.assert(
    fc.property(provider, fc.option(fc.string({ unit: 'binary', maxLength: 128 })), (id, name) => {
      const names = [...accountNames({ provider: id, name })];
      expect(names.length).toBeGreaterThan(4);
      for (const each of names) expect(each).toMatch(/^[A-Za-z0-9_]{4,24}$/);
    }),
  );
});
