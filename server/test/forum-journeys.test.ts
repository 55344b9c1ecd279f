import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort, startProcess } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { AUTHORIZE, BIND, type ForumApp, person, startForumApp } from './support/forum-app.ts';
import { type Browser, newBrowser } from './support/forum-browser.ts';
import { PASSWORD } from './support/test-app.ts';

const forumEntry = join(import.meta.dirname, '../../simulators/src/forum/main.ts');

/** Starts with a real oidc-provider in its own process as the first provider, and the plain forum as the second. */
async function houseWithOidc(databaseUrl: string, clockOffset = 0): Promise<ForumApp> {
  return startForumApp(databaseUrl, async (publicUrl, plain) => {
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    const args = ['--public-url', publicUrl, '--port', String(port), '--client-secret', 'demo-secret'];
    const forum = await startProcess({
      command: process.execPath,
      args: [forumEntry, ...args, `--clock-offset=${clockOffset}`],
      ready: async () => (await fetch(`${issuer}/.well-known/openid-configuration`)).ok,
    });
    onTestFinished(() => forum.stop());
    const provider = { enabled: true, client_id: 'gatehouse', client_secret: 'demo-secret', issuer };
    return { forum: provider, providers: { old: plain } };
  });
}

/** Acts as a player: follows the button, picks a user on the forum's page, and returns to the login page. */
async function logInAt(app: ForumApp, user: string, browser: Browser = newBrowser(), query = '') {
  const page = await browser.open(`${app.url}${AUTHORIZE}${query}`);
  expect(page.text).toContain('Lantern Forum');
  return browser.open(page.url.href, { form: { user } });
}

describeByTier('a login with an OpenID Connect forum', (engine) => {
  test('when a player comes for the first time, then an account is made; the second time, they are logged in', async () => {
    const app = await houseWithOidc(await engine.freshUrl());
    const first = await logInAt(app, '1001', newBrowser(), '?redirect=/withdraw%3Fa=1');
    expect(first.url.href).toMatch(
      /\/login#ticket=[\w-]{43}&linked=0&name=Lantern\+Keeper&redirect=%2Fwithdraw%3Fa%3D1$/,
    );
    const made = await app.post(BIND, { ticket: first.fragment.get('ticket') });
    expect(made).toMatchObject({ status: 201, body: { account: 'Lantern_Keeper', server_id: null } });

    const second = await logInAt(app, '1001');
    expect(second.url.href).toMatch(/\/login#ticket=[\w-]{43}&linked=1$/);
    const back = await app.post(BIND, { ticket: second.fragment.get('ticket') });
    expect(back).toMatchObject({ status: 200, body: { account: 'Lantern_Keeper' } });
    expect(back.headers.get('cache-control')).toBe('no-store');

    const { body } = await app.get('/api/bind', { token: back.body.token });
    expect(body).toEqual({
      bindings: [{ provider: 'forum', connect_id: '1001', bound_at: expect.stringMatching(/\.\d{3}Z$/) }],
    });
  });

  test('when an account is bound with its password, then the forum login opens it, and a second identity does not', async () => {
    const app = await houseWithOidc(await engine.freshUrl());
    await app.register('Old_Hand');
    const mine = await logInAt(app, '1002');
    const bound = await app.post(BIND, {
      ticket: mine.fragment.get('ticket'),
      account: 'old_hand',
      password: PASSWORD,
    });
    expect(bound).toMatchObject({ status: 200, body: { account: 'Old_Hand' } });
    const again = await logInAt(app, '1002');
    expect(again.fragment.get('linked')).toBe('1');

    const other = await logInAt(app, '1003');
    const ticket = other.fragment.get('ticket');
    const refused = await app.post(BIND, { ticket, account: 'Old_Hand', password: PASSWORD });
    expect(refused).toMatchObject({ status: 409, body: { code: 'already_bound' } });
    expect(await app.post(BIND, { ticket })).toMatchObject({
      status: 201,
      body: { account: 'Night_Watch' },
    });
  });

  test('when the player cancels at the forum, then they return to the login page with the reason', async () => {
    const app = await houseWithOidc(await engine.freshUrl());
    const browser = newBrowser();
    const page = await browser.open(app.url + AUTHORIZE);
    const { url } = await browser.open(`${page.url.href}/cancel`);
    expect(url.href).toBe(`${app.url}/login?error=forum_denied`);
    expect(browser.cookies.filter(({ name }) => name.startsWith('forum_'))).toEqual([]);
  });
});

test.each([
  ['is ten minutes fast', 600, '#ticket='],
  ['is slow, so that its word ran out a minute ago', -3660, '#ticket='],
  ['is slow, so that its word ran out five minutes ago', -3900, '?error=forum_unavailable'],
])('when the clock of the forum %s, then it is tolerated within a limit', async (_name, offset, expected) => {
  const app = await houseWithOidc(freshSqlite(), offset);
  const { url } = await logInAt(app, '1001');
  expect(url.href).toContain(`/login${expected}`);
});

test('when players log in by the forum, then no secret is in a URL, a Referer or the log', async () => {
  const app = await houseWithOidc(freshSqlite());
  const browser = newBrowser();
  const arrived = await logInAt(app, '1001', browser);
  const old = await browser.open(`${app.login(person(7, 'Plain Person'))}?provider=old`);
  expect(old.fragment.get('linked')).toBe('0');
  expect(arrived.headers.get('referrer-policy')).toBe('no-referrer');
  expect(arrived.headers.get('cache-control')).toBe('no-store');
  const ticket = arrived.fragment.get('ticket') ?? '';
  const { body } = await app.post(BIND, { ticket });
  await app.get('/api/bind', { token: body.token });
  await app.post(BIND, { ticket, account: 'nobody', password: 'Some-Password-1' });

  const values = (name: string) => browser.trail.flatMap((url) => new URL(url).searchParams.getAll(name));
  const [codes, states] = [values('code'), values('state')];
  expect(codes.length).toBeGreaterThan(0);
  expect(states.length).toBeGreaterThan(1);
  for (const url of browser.trail) expect(url.split('#')[0]).not.toContain(ticket);
  for (const url of browser.trail) expect(url).not.toContain(body.token);
  await expect.poll(() => app.log()).toContain('/api/bind');
  await app.stop();
  const log = app.log();
  expect(log).toContain('/api/forumauth/callback');
  const sealed = browser.cookies.map(({ value }) => value);
  for (const secret of [
    ticket,
    body.token,
    'Some-Password-1',
    'demo-secret',
    ...codes,
    ...states,
    ...sealed,
  ]) {
    expect(log).not.toContain(secret);
  }
});
