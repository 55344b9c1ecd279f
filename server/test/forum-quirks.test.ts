import { createServer } from 'node:http';
import { startForum } from '@gatehouse/simulators/forum';
import type { Quirk } from '@gatehouse/simulators/forum/plain';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { AUTHORIZE, BIND, person, startForumApp } from './support/forum-app.ts';
import { newBrowser } from './support/forum-browser.ts';

const json = (value: unknown) => () => JSON.stringify(value);

test.each<[string, Quirk]>([
  ['leaves the token type out, sends a list of scopes and a junk id_token', {}],
  ['names the type in its own way', { body: (usual) => JSON.stringify({ ...usual, token_type: 'BEARER' }) }],
  [
    'answers with a form',
    {
      type: 'application/x-www-form-urlencoded',
      body: ({ access_token }) => `access_token=${access_token}&scope=&expires_in=never`,
    },
  ],
])('when the token answer %s, then the login goes on', async (_name, token) => {
  const app = await startForumApp(freshSqlite());
  app.forum.misbehave({ token });
  expect(await app.enter(person(42, 'Ann Lee'))).toMatchObject({ status: 201, account: 'Ann_Lee' });
  expect(await app.enter(person('42', 'Ann Lee'))).toMatchObject({ status: 200, account: 'Ann_Lee' });
});

test('when ids are numbers beyond 2^53, then two people stay distinct', async () => {
  const app = await startForumApp(freshSqlite());
  for (const id of ['9007199254740993', '9007199254740992']) {
    app.forum.misbehave({ profile: { body: () => `{"user":{"id":${id}}}` } });
    const { body, status } = await app.post(BIND, { ticket: await app.ticket({}) });
    expect(status).toBe(201);
    const { body: bound } = await app.get('/api/bind', { token: body.token });
    expect(bound.bindings).toMatchObject([{ connect_id: id }]);
  }
});

const page = '<html><body>Welcome to the forum, here is your token</body></html>';

test.each<[string, { token?: Quirk; profile?: Quirk }]>([
  ['answers the token with a page', { token: { type: 'text/html', body: () => page } }],
  ['answers the token with nothing', { token: { body: () => '' } }],
  ['answers the token with a list', { token: { body: json(['token']) } }],
  ['answers without a token', { token: { body: json({ token_type: 'bearer' }) } }],
  ['answers with a token that is an object', { token: { body: json({ access_token: {} }) } }],
  [
    'answers with a token of another kind',
    { token: { body: json({ access_token: 'a', token_type: 'mac' }) } },
  ],
  ['answers the token with an error', { token: { status: 500, body: json({ error: 'server_error' }) } }],
  ['does not know us', { token: { status: 401, body: json({ error: 'invalid_client' }) } }],
  ['sends the token elsewhere', { token: { status: 302, headers: { location: '/elsewhere' } } }],
  ['answers the profile with a page', { profile: { type: 'text/html', body: () => page } }],
  ['answers the profile with an error', { profile: { status: 500, body: json(person(5)) } }],
  ['sends the profile elsewhere', { profile: { status: 302, headers: { location: '/elsewhere' } } }],
  [
    'answers the profile with more than it may',
    { profile: { body: json({ ...person(5), fat: 'x'.repeat(65_536) }) } },
  ],
  [
    'answers the profile without end',
    { profile: { body: json({ ...person(5), fat: 'x'.repeat(20_000_000) }) } },
  ],
  ['knows no id', { profile: { body: json({ user: { name: 'Nobody' } }) } }],
  ['puts the id elsewhere', { profile: { body: json({ id: 5 }) } }],
  ['has an empty id', { profile: { body: json(person(' ')) } }],
  ['calls a guest 0', { profile: { body: json(person(0)) } }],
  ['has an id that is a fraction', { profile: { body: json(person(1.5)) } }],
  ['has an id that is true', { profile: { body: json(person(true)) } }],
  ['has an id that is an object', { profile: { body: json(person({ id: 5 })) } }],
  ['has an id with a control character', { profile: { body: json(person('5\u0000')) } }],
  ['has an id that is too long', { profile: { body: json(person('5'.repeat(192))) } }],
])(
  'when the forum %s, then the login page says that it failed, and nothing is left behind',
  async (_name, quirks) => {
    const app = await startForumApp(freshSqlite());
    app.forum.misbehave(quirks);
    const { url } = await newBrowser().open(app.login(person(5)));
    expect(url.href).toBe(`${app.url}/login?error=forum_unavailable`);
    expect(app.forum.requests).not.toContain('/elsewhere');
    expect(await app.db.kysely.selectFrom('forum_ticket').selectAll().execute()).toEqual([]);
    await app.stop();
    expect(app.log()).toContain('an identity provider failed');
    expect(app.log()).not.toContain('here is your token');
  },
);

test.each<[string, Quirk]>([
  ['never answers', { pace: 'never' }],
  ['answers a byte now and then', { pace: 'slowly' }],
])('when the forum %s, then it is given up on', async (_name, quirk) => {
  const app = await startForumApp(freshSqlite());
  app.forum.misbehave({ profile: quirk });
  const { url } = await newBrowser().open(app.login(person(5)));
  expect(url.href).toBe(`${app.url}/login?error=forum_unavailable`);
});

test('when the forum closes connections that it has answered on, then the login goes on', async () => {
  const app = await startForumApp(freshSqlite());
  expect(await app.enter(person(5))).toMatchObject({ status: 201 });
  app.forum.misbehave({ token: { cutsReused: true }, profile: { cutsReused: true } });
  expect(await app.enter(person(5))).toMatchObject({ status: 200 });
});

test.each([
  ['access_denied', 'forum_denied'],
  ['login_required', 'forum_denied'],
  ['server_error', 'forum_unavailable'],
  ['invalid_scope', 'forum_unavailable'],
])('when the provider sends the browser back with %s, then the login page says %s', async (error, word) => {
  const app = await startForumApp(freshSqlite());
  const start = await fetch(app.url + AUTHORIZE, { redirect: 'manual' });
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const back = await fetch(`${app.url}/api/forumauth/callback?state=${state}&error=${error}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toBe(`${app.url}/login?error=${word}`);
});

test('when an OpenID Connect provider is down, then the login says so, and works once it is back', async () => {
  // No client takes this port while the forum is down.
  const port = await freePort();
  const forum = await startForum({ publicUrl: 'http://127.0.0.1:1', clientSecret: 's', port });
  await forum.stop();
  const app = await startForumApp(freshSqlite(), async () => ({ forum: forum.settings }));
  expect(await app.get(AUTHORIZE)).toMatchObject({ status: 502, body: { code: 'forum_unavailable' } });
  const shown = await app.get(AUTHORIZE, { headers: { accept: 'text/html,*/*' } });
  expect(shown.status).toBe(302);
  expect(shown.headers.get('location')).toBe(`${app.url}/login?error=forum_unavailable`);

  const again = await startForum({ publicUrl: app.url, clientSecret: 's', port });
  onTestFinished(again.stop);
  const back = await app.get(AUTHORIZE);
  expect(back.status).toBe(302);
  expect(back.headers.get('location')).toMatch(`${forum.issuer}/auth?`);
});

test('when discovery answers for another issuer, then no browser is redirected there', async () => {
  const liar = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example' }),
    );
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void liar.close());
  const { port } = liar.address() as { port: number };
  const issuer = `http://127.0.0.1:${port}`;
  const app = await startForumApp(freshSqlite(), {
    forum: { enabled: true, client_id: 'a', client_secret: 'b', issuer },
  });
  expect((await app.get(AUTHORIZE)).status).toBe(502);
});

test('when there are several providers, then each is separate, and the first is the default', async () => {
  const app = await startForumApp(freshSqlite(), async (_url, plain) => ({
    forum: { ...plain, name: 'First' },
    providers: { guild: { ...plain, name: 'Guild' }, off: { ...plain, enabled: false } },
  }));
  const { body } = await app.get('/api/config');
  expect(body.forum).toEqual({
    enabled: true,
    providers: [
      { id: 'forum', name: 'First' },
      { id: 'guild', name: 'Guild' },
    ],
  });
  const first = await app.post(BIND, { ticket: await app.ticket(person(7, 'Same Id')) });
  const second = await app.post(BIND, {
    ticket: await app.ticket(person(7, 'Same Id'), { provider: 'guild' }),
  });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.account).toMatch(/^Same_Id_\d{4}$/);
  for (const unknown of ['off', 'nobody']) {
    expect(await app.get(`${AUTHORIZE}?provider=${unknown}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  }
});

test('when no provider is enabled, then no login can be started', async () => {
  const app = await startForumApp(freshSqlite(), { forum: {} });
  expect(await app.get(AUTHORIZE)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
