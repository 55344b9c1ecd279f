import type { PlainUser } from '@gatehouse/simulators/forum/plain';
import { describe, expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { newOAuthState, sealOAuthState } from '../src/features/forum/oauth.ts';
import { createKeyedHash } from '../src/security/keyed-hash.ts';
import { AUTHORIZE, BIND, type ForumApp, person, startForumApp } from './support/forum-app.ts';
import { newBrowser } from './support/forum-browser.ts';

const CALLBACK = '/api/forumauth/callback';

/** Starts a login and stops at the provider. Returns the browser's cookie and the callback URL. */
async function halfWay(app: ForumApp) {
  const start = await fetch(app.login(person(5, 'Half Way')), { redirect: 'manual' });
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const provider = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
  return { cookie, back: new URL(provider.headers.get('location') ?? '') };
}

async function comeBack(url: URL | string, cookie = ''): Promise<string> {
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  return answer.headers.get('location') ?? '';
}

const withState = (url: URL, state: string | null) => {
  const changed = new URL(url);
  if (state === null) changed.searchParams.delete('state');
  else changed.searchParams.set('state', state);
  return changed;
};

describe('the state of a login', () => {
  test('when everything is valid, then a ticket is issued, and the cookie is removed', async () => {
    const app = await startForumApp(freshSqlite());
    const browser = newBrowser();
    const { fragment } = await browser.open(app.login(person(5)));
    expect(fragment.get('ticket')).toMatch(/^[\w-]{43}$/);
    const [line, ...others] = browser.cookies.map((each) => each.line);
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^forum_bind_[\w-]{8}=[\w-]{43}; Max-Age=60; Path=\/api\/forumauth; HttpOnly; SameSite=Lax$/,
    );
  });

  test('when the forum reports a name, then the page shows whose account is to be linked, and only then', async () => {
    const app = await startForumApp(freshSqlite());
    const arrive = async (visitor: PlainUser) => (await newBrowser().open(app.login(visitor))).fragment;
    expect((await arrive(person(5, '<b>安娜 & Co</b>'))).get('name')).toBe('<b>安娜 & Co</b>');
    expect((await arrive(person(6))).has('name')).toBe(false);
    await app.enter(person(7, 'Known'));
    expect((await arrive(person(7, 'Known'))).has('name')).toBe(false);
  });

  test('when a browser sends cookies with strange names, then they are ignored', async () => {
    const app = await startForumApp(freshSqlite());
    const odd = ['forum_ä', 'forum_a b', 'forum_(x)', 'forum_@', 'forum_"', 'forum_[1]'];
    const headers = { cookie: odd.map((name) => `${name}=1`).join('; ') };
    const start = await fetch(app.url + AUTHORIZE, { headers, redirect: 'manual' });
    expect(start.status).toBe(302);
    for (const name of odd) {
      const state = encodeURIComponent(name.slice('forum_'.length));
      const back = `${app.url}/api/forumauth/callback?code=x&state=${state}`;
      expect(await comeBack(back, `${name}=1`)).toBe(`${app.url}/login?error=forum_state`);
    }
  });

  test('when it is missing, foreign, repeated or from another browser, then the login is refused', async () => {
    const app = await startForumApp(freshSqlite());
    const refused = `${app.url}/login?error=forum_state`;
    const { cookie, back } = await halfWay(app);
    const other = await halfWay(app);
    const alike = `${back.searchParams.get('state')?.slice(0, 8)}${'z'.repeat(35)}`;
    const twice = new URL(`${back.href}&state=${back.searchParams.get('state')}`);

    expect(await comeBack(withState(back, null), cookie)).toBe(refused);
    expect(await comeBack(withState(back, 'x'.repeat(43)), cookie)).toBe(refused);
    expect(await comeBack(withState(back, 'y'.repeat(5000)), cookie)).toBe(refused);
    expect(await comeBack(withState(back, other.back.searchParams.get('state')), cookie)).toBe(refused);
    expect(await comeBack(withState(back, alike), cookie)).toBe(refused);
    expect(await comeBack(twice, cookie)).toBe(refused);
    expect(await comeBack(back)).toBe(refused);
    expect(await comeBack(back, other.cookie)).toBe(refused);
    expect(await comeBack(app.url + CALLBACK)).toBe(refused);
    expect(await comeBack(back, cookie)).toContain('#ticket=');
  });

  test('when it is returned a second time, even with a new code, then the login is refused', async () => {
    const app = await startForumApp(freshSqlite());
    const { cookie, back } = await halfWay(app);
    const fresh = await halfWay(app);
    expect(await comeBack(back, cookie)).toContain('#ticket=');
    expect(await comeBack(back, cookie)).toBe(`${app.url}/login?error=forum_state`);
    back.searchParams.set('code', fresh.back.searchParams.get('code') ?? '');
    expect(await comeBack(back, cookie)).toBe(`${app.url}/login?error=forum_state`);
  });

  test('when the player cancelled, then the state is used up too', async () => {
    const app = await startForumApp(freshSqlite());
    const { cookie, back } = await halfWay(app);
    const cancelled = new URL(back);
    cancelled.searchParams.delete('code');
    cancelled.searchParams.set('error', 'access_denied');
    expect(await comeBack(cancelled, cookie)).toBe(`${app.url}/login?error=forum_denied`);
    expect(await comeBack(cancelled, cookie)).toBe(`${app.url}/login?error=forum_state`);
    expect(await comeBack(back, cookie)).toBe(`${app.url}/login?error=forum_state`);
  });

  test('when two browsers race with one state, then one gets a ticket', async () => {
    const app = await startForumApp(freshSqlite());
    const { cookie, back } = await halfWay(app);
    const landed = await Promise.all(Array.from({ length: 8 }, () => comeBack(back, cookie)));
    expect(landed.filter((url) => url.includes('#ticket='))).toHaveLength(1);
  });

  test('when a used code comes with a new state, then the login is refused', async () => {
    const app = await startForumApp(freshSqlite());
    const first = await halfWay(app);
    await comeBack(first.back, first.cookie);
    const second = await halfWay(app);
    const replayed = withState(first.back, second.back.searchParams.get('state'));
    expect(await comeBack(replayed, second.cookie)).toBe(`${app.url}/login?error=forum_state`);
  });

  test('when a stranger returns with made-up codes, then the forum is called thirty times a minute at most, and others can log in', async () => {
    const app = await startForumApp(freshSqlite());
    for (let i = 0; i < 2; i++) {
      const right = await halfWay(app);
      expect(await comeBack(right.back, right.cookie)).toContain('#ticket=');
    }
    const used = async () => (await app.db.kysely.selectFrom('used_once').selectAll().execute()).length;
    const before = await used();
    // Started first, so that the minute only has to be enough for the last step.
    const begun: Awaited<ReturnType<typeof halfWay>>[] = [];
    for (let i = 0; i < 33; i++) begun.push(await halfWay(app));
    const landed: string[] = [];
    for (const [i, { cookie, back }] of begun.entries()) {
      back.searchParams.set('code', `made-up-${i}`);
      landed.push(await comeBack(back, cookie));
    }
    const ending = (word: string) => landed.filter((url) => url.endsWith(`/login?error=${word}`)).length;
    expect([ending('forum_state'), ending('forum_unavailable')]).toEqual([30, 3]);
    expect((await used()) - before).toBe(30);
    const other = await halfWay(app);
    const { back, cookie } = other;
    const headers = { cookie, 'x-forwarded-for': '203.0.113.9' };
    const answer = await fetch(back, { headers, redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('#ticket=');
  });

  test('when a code of another login is injected, then PKCE refuses it', async () => {
    const app = await startForumApp(freshSqlite());
    const attacker = await halfWay(app);
    const victim = await halfWay(app);
    const mixed = withState(attacker.back, victim.back.searchParams.get('state'));
    expect(await comeBack(mixed, victim.cookie)).toBe(`${app.url}/login?error=forum_state`);
  });

  test('when the cookie is forged, changed or out of date, then the login is refused', async () => {
    const app = await startForumApp(freshSqlite());
    const refused = `${app.url}/login?error=forum_state`;
    const { cookie, back } = await halfWay(app);
    const [name, sealed = ''] = cookie.split('=');
    const [content = '', signature = ''] = sealed.split('.');
    const attempt = JSON.parse(Buffer.from(content, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...attempt, redirect: '//evil' })).toString('base64url');
    const foreign = sealOAuthState(createKeyedHash(['another secret'], 'forum attempt'), attempt);
    const old = sealOAuthState(app.features.forum.signOAuthState, { ...attempt, expiresAt: Date.now() - 1 });
    for (const value of ['', '.', content, `${changed}.${signature}`, `${sealed}.`, foreign, old]) {
      expect(await comeBack(back, `${name}=${value}`)).toBe(refused);
    }
    expect(await comeBack(back, cookie)).toContain('#ticket=');
  });

  test('when the provider of the cookie is gone, then the login is refused', async () => {
    const app = await startForumApp(freshSqlite());
    const attempt = newOAuthState('closed', undefined);
    const cookie = `forum_${attempt.state.slice(0, 8)}=${sealOAuthState(app.features.forum.signOAuthState, attempt)}`;
    const url = `${app.url}${CALLBACK}?code=1&state=${attempt.state}`;
    expect(await comeBack(url, cookie)).toBe(`${app.url}/login?error=forum_state`);
  });

  test('when two tabs log in concurrently, then both succeed', async () => {
    const app = await startForumApp(freshSqlite());
    const [one, two] = [await halfWay(app), await halfWay(app)];
    const both = `${one.cookie}; ${two.cookie}`;
    expect(await comeBack(two.back, both)).toContain('#ticket=');
    expect(await comeBack(one.back, both)).toContain('#ticket=');
  });

  test('when logins are started and never finished, then the cookies do not accumulate', async () => {
    const app = await startForumApp(freshSqlite());
    const browser = newBrowser();
    app.forum.setVisitor(null);
    for (let i = 0; i < 12; i++) {
      const answer = await fetch(app.url + AUTHORIZE, {
        redirect: 'manual',
        headers: { cookie: browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
      });
      for (const line of answer.headers.getSetCookie()) browser.keep(new URL(app.url), line);
    }
    expect(browser.cookies.length).toBeGreaterThan(0);
    expect(browser.cookies.length).toBeLessThanOrEqual(4);
  });
});

describe('the cookie', () => {
  test.each([
    ['http', false],
    ['https', true],
  ])(
    'when the front end is on %s, then it is HttpOnly, Lax, short-lived and as secure as that',
    async (scheme, secure) => {
      const app = await startForumApp(freshSqlite(), { public_url: `${scheme}://play.example.com` });
      const answer = await app.get(`${AUTHORIZE}?redirect=/withdraw`);
      const [line = ''] = answer.headers.getSetCookie();
      expect(line).toMatch(/^forum_[\w-]{8}=[\w-]+\.[0-9a-f]{64}; /);
      expect(line).toContain('HttpOnly');
      expect(line).toContain('SameSite=Lax');
      expect(line).toContain('Max-Age=600');
      expect(line).toContain('Path=/api/forumauth');
      expect(line.includes('Secure')).toBe(secure);
      const to = new URL(answer.headers.get('location') ?? '').searchParams;
      expect(to.get('redirect_uri')).toBe(`${scheme}://play.example.com/api/forumauth/callback`);
      expect(to.get('code_challenge_method')).toBe('S256');
      expect(to.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(to.get('state')).toMatch(/^[\w-]{43}$/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );
});

const elsewhere = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\evil',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'https://evil.example/',
  'http:evil.example',
  '/%2fevil.example',
  '/%2Fevil.example/',
  '%2f%2fevil.example',
  '/%5cevil.example',
  '/%255cevil.example',
  '/%25252fevil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/./%2fevil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/\n/evil.example',
  '/%00',
  '/%',
  '/%E0%A4%A',
  '/api/forumauth/authorize',
  '/API/login',
  '/%61pi/login',
  'withdraw',
  '?a=1',
  '#x',
  '',
  '@evil.example',
  '.evil.example',
];

test('when the return path might lead to another site, then the login does not start', async () => {
  const app = await startForumApp(freshSqlite());
  for (const wanted of elsewhere) {
    const { status, body, headers } = await app.get(`${AUTHORIZE}?redirect=${encodeURIComponent(wanted)}`);
    const cookies = headers.getSetCookie();
    expect({ wanted, status, code: body?.code, field: body?.errors?.[0]?.field, cookies }).toEqual({
      wanted,
      status: 400,
      code: 'invalid_request',
      field: 'redirect',
      cookies: [],
    });
  }
});

test('when the return path belongs to the front end, then the browser returns there', async () => {
  const app = await startForumApp(freshSqlite());
  for (const wanted of [
    '/',
    '/withdraw',
    '/withdraw?server=3&x=%20y',
    '/a/b-c_d#part',
    '/agree?q=100%25',
    '/夜',
  ]) {
    const { fragment } = await newBrowser().open(
      `${app.login(person(5))}?redirect=${encodeURIComponent(wanted)}`,
    );
    expect(fragment.get('redirect')).toBe(wanted);
  }
});

test('when the database is unreachable, then the browser is still sent to the login page', async () => {
  const app = await startForumApp(freshSqlite());
  const { cookie, back } = await halfWay(app);
  await app.db.kysely.schema.dropTable('forum_ticket').execute();
  expect(await comeBack(back, cookie)).toBe(`${app.url}/login?error=forum_unavailable`);
  expect((await app.post(BIND, { ticket: 'x' })).status).toBe(500);
});
