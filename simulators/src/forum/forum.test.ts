import { expect, onTestFinished, test } from 'vitest';
import { startForum } from './forum.ts';

const publicUrl = 'http://127.0.0.1:3001';

/** Proceeds as a browser does until the user has to click. */
async function openLogin(language: string) {
  const users = [{ id: '7', name: '<Seven> & "Co"' }];
  const forum = await startForum({ publicUrl, users });
  onTestFinished(forum.stop);
  const query = new URLSearchParams({
    client_id: forum.settings.client_id,
    redirect_uri: `${publicUrl}/api/forumauth/callback`,
    response_type: 'code',
    scope: 'openid profile',
    state: 'my-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const start = await fetch(`${forum.url}/auth?${query}`, { redirect: 'manual' });
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const url = new URL(start.headers.get('location') ?? '', forum.url).href;
  const ask = (address: string, form?: Record<string, string>) =>
    fetch(address, {
      redirect: 'manual',
      headers: { cookie, 'accept-language': language },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
  return { url, ask, page: await (await ask(url)).text() };
}

test.each([
  ['zh-CN,zh;q=0.9', '灯笼论坛', '登录为'],
  ['en-GB', 'Lantern Forum', 'Log in as'],
])('when a browser prefers %s, then the page is in that language', async (language, title, button) => {
  const { page } = await openLogin(language);
  expect(page).toContain(`<title>${title}</title>`);
  expect(page).toContain(button);
});

test('when a user has an odd name, then it is shown and not executed', async () => {
  const { page } = await openLogin('en');
  expect(page).toContain('&#60;Seven&#62; &#38; &#34;Co&#34;');
  expect(page).not.toContain('<Seven>');
});

test('when no user is chosen, then the page stays; when one is, then the browser returns with a code', async () => {
  const { url, ask } = await openLogin('en');
  expect(await (await ask(url, { user: 'nobody' })).text()).toContain('Log in as');
  const chosen = await ask(url, { user: '7' });
  const back = await ask(chosen.headers.get('location') ?? '');
  const landed = new URL(back.headers.get('location') ?? '');
  expect(landed.href).toMatch(`${publicUrl}/api/forumauth/callback?`);
  expect(landed.searchParams.get('code')).toBeTruthy();
  expect(landed.searchParams.get('state')).toBe('my-state');
});

test('when the visitor cancels, then the browser returns with access_denied', async () => {
  const { url, ask } = await openLogin('en');
  const cancelled = await ask(`${url}/cancel`);
  const back = await ask(cancelled.headers.get('location') ?? '');
  expect(new URL(back.headers.get('location') ?? '').searchParams.get('error')).toBe('access_denied');
});

test('when a browser comes without the login it started, then the page says so', async () => {
  const { url } = await openLogin('en');
  const gone = await fetch(url);
  expect(gone.status).toBe(400);
  expect(await gone.text()).toContain('expired');
});
