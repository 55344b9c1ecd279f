import { beforeAll, describe, expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';

const suite = browserSuite();

test('when a visitor opens a guarded page, then the login leads there', async () => {
  await suite.server.register('guest');
  const { goTo, waitForPath, logIn, page } = await suite.openSession();
  await goTo('/withdraw');
  await waitForPath('/login?return=/withdraw');
  await logIn('guest');
  await waitForPath('/withdraw');
  await page.getByRole('heading', { name: '提现', exact: true }).waitFor();
});

describe('a return path that is not a guarded page', () => {
  beforeAll(async () => void (await suite.server.register('straight')));

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/login', '/nowhere'])(
    'when it is %j, then the login leads to the zone list instead',
    async (wanted) => {
      const { goTo, waitForPath, logIn } = await suite.openSession();
      await goTo(`/login?return=${encodeURIComponent(wanted)}`);
      await logIn('straight');
      await waitForPath('/');
    },
  );
});

test('when the player signs out, then the token is gone, the service refuses it, and the zone list needs a login', async () => {
  await suite.server.register('leaver');
  const { page, openAndLogIn, goTo, waitForPath, token } = await suite.openSession();
  await openAndLogIn('leaver');
  await page.locator('.enter').waitFor();
  const headers = { authorization: `Bearer ${await token()}` };
  const bindings = () => fetch(`${suite.server.url}/api/bind`, { headers });
  expect((await bindings()).status).toBe(200);
  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await waitForPath('/login');
  expect(await token()).toBeNull();
  await expect.poll(async () => (await bindings()).status).toBe(401);
  await goTo('/');
  await waitForPath('/login');
});

test('when a second tab opens, then it is signed in too; when one signs out, then so does the other', async () => {
  await suite.server.register('two_tabs');
  const { page, openAndLogIn, waitForPath, token } = await suite.openSession();
  await openAndLogIn('two_tabs');
  await page.locator('.enter').waitFor();
  const second = await page.context().newPage();
  await second.goto(`${suite.server.url}/withdraw`);
  await second.getByRole('heading', { name: '提现', exact: true }).waitFor();
  expect(await second.evaluate(() => sessionStorage.getItem('CQ-TOKEN'))).toBe(await token());

  await second.locator('.toggle').click();
  await second.getByRole('button', { name: '退出登录' }).click();
  await waitForPath('/login');
  expect(await token()).toBeNull();
  await second.close();
});

test('when the session ends during use, then a login leads the player back', async () => {
  await suite.server.register('expired');
  const { page, openAndLogIn, waitForPath, waitForText, logIn, received } = await suite.openSession();
  await openAndLogIn('expired');
  await page.locator('.enter').waitFor();
  await suite.server.operate('player', 'sign-out', 'expired');
  await page.locator('.enter').click();
  await waitForText('登录已过期');
  expect(await page.evaluate(() => sessionStorage.getItem('CQ-TOKEN'))).toBeNull();
  await logIn('expired');
  await waitForPath('/');
  await page.locator('.enter').click();
  expect(await received()).toMatchObject({ account: 'expired' });
});

test('when the account is suspended, then the player learns why', async () => {
  await suite.server.register('rascal');
  const { page, openAndLogIn, waitForText } = await suite.openSession();
  await openAndLogIn('rascal');
  await page.locator('.enter').waitFor();
  await suite.server.operate('player', 'ban', 'rascal', '--reason', '使用外挂');
  await page.locator('.enter').click();
  await waitForText(/已被封停.*使用外挂/);
});
