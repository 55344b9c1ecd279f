import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { examinePage } from './examine-page.ts';
import { PASSWORD } from './test-server.ts';

const suite = browserSuite();

/** Goes to the forum and back as one of its users; null cancels there. */
async function throughForum(user: string | null, path = '/login') {
  const session = await suite.openSession('desktop');
  const { page, goTo } = session;
  await goTo(path);
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  if (user === null) await page.getByRole('link').first().click();
  else await page.getByRole('button', { name: user }).click();
  return session;
}

test('when a forum user is new, then an account is made, and the next time the forum alone logs in', async () => {
  const first = await throughForum('Lantern Keeper', '/login?return=/withdraw');
  await first.waitForText('该论坛账号尚未绑定游戏账号');
  await first.waitForText('您在论坛的用户名是 Lantern Keeper');
  expect(first.page.url()).not.toContain('ticket');
  await first.page.getByRole('button', { name: '创建并进入' }).click();
  await first.waitForText('请先阅读并同意用户协议');
  await first.page.check('[name=agree]');
  await first.page.getByRole('button', { name: '创建并进入' }).click();
  await first.waitForPath('/account/name?next=/withdraw');
  await first.page.getByRole('button', { name: /^以 .* 进入游戏$/ }).click();
  await first.waitForPath('/withdraw');

  const second = await throughForum('Lantern Keeper');
  await second.waitForPath('/');
  await second.page.locator('.enter').waitFor();
});

test('when a forum user is new and was going nowhere else, then they choose a name and are in the game', async () => {
  const { page, waitForPath, received, submit } = await throughForum('Night Watch');
  await page.selectOption('[name=server_id]', { label: '朱雀大街' });
  await page.check('[name=agree]');
  await page.getByRole('button', { name: '创建并进入' }).click();
  await page.getByText('请在开始游戏前修改').waitFor();
  await page.fill('[name=account]', 'night_watch');
  await submit();
  await waitForPath('/#zone-2');
  expect(await received()).toMatchObject({
    type: 'gatehouse:enter',
    account: 'night_watch',
    server: { server_id: 2 },
  });
});

test('when a player has an account, then the forum is bound to it, shown there, and can be unbound', async () => {
  await suite.server.register('bound_one');
  const { page, waitForText, logIn, waitForPath } = await throughForum('夜雨');
  await page.check('[value=existing]');
  await logIn('bound_one', 'wrong-password');
  await waitForText('账号或密码错误');
  await logIn('bound_one', PASSWORD);
  await waitForPath('/');

  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '账号绑定' }).click();
  await waitForText(/绑定于/);
  const unlink = page.getByRole('button', { name: /解除绑定/ });
  expect(await unlink.textContent()).toMatch(/解除绑定 Lantern Forum/);
  await unlink.click();
  await page.getByRole('button', { name: /确定解除/ }).click();
  await waitForText('还没有绑定任何账号');
});

test('when a logged-in player links a forum account from the account page, then it is linked there', async () => {
  await suite.server.register('linker');
  const { page, waitForPath, waitForText, openAndLogIn, goTo } = await suite.openSession();
  await openAndLogIn('linker');
  await waitForPath('/');
  await goTo('/account/bindings');
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  await page.getByRole('link').first().click();
  await waitForText('您取消了论坛授权');
  expect(new URL(page.url()).pathname).toBe('/account/bindings');

  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  await page.getByRole('button', { name: '夜雨' }).click();
  await waitForText('该论坛账号尚未绑定游戏账号');
  expect(await page.inputValue('[name=account]')).toBe('linker');
  await page.fill('[name=password]', PASSWORD);
  await page.getByRole('button', { name: '绑定并登录' }).click();
  await waitForPath('/account/bindings');
  await waitForText(/绑定于/);
  await page.getByRole('button', { name: /解除绑定/ }).click();
  await page.getByRole('button', { name: /确定解除/ }).click();
  await waitForText('还没有绑定任何账号');
});

test('when a player resets the password and unlinks, then the forum account does not log in any more', async () => {
  const { email } = await suite.server.register('taken_over');
  const linked = await throughForum('夜雨');
  await linked.page.check('[value=existing]');
  await linked.logIn('taken_over', PASSWORD);
  await linked.waitForPath('/');

  const { page, goTo, submit, waitForText } = await suite.openSession();
  await goTo('/login?mode=reset');
  await page.fill('[name=email]', email);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.fill('[name=code]', await suite.server.code(email));
  await page.fill('[name=password]', 'Starlight-over-43');
  await page.getByLabel('同时解除论坛等第三方账号的绑定').check();
  await submit();
  await waitForText('的密码已重设');

  const again = await throughForum('夜雨');
  await again.waitForText('该论坛账号尚未绑定游戏账号');
});

test('when a player signs out and comes by the forum again, then it asks who they are; its page is accessible', async () => {
  const { page, waitForPath } = await throughForum('Lantern Keeper');
  await waitForPath('/');
  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  await page.getByRole('button', { name: '夜雨' }).waitFor();
  await examinePage(page, { consoleErrors: [] });
});

test('when the player cancels at the forum, then the login page says so and works', async () => {
  await suite.server.register('turned_back');
  const { waitForText, logIn, waitForPath, page } = await throughForum(null);
  await waitForText('您取消了论坛授权');
  expect(page.url()).not.toContain('error');
  await logIn('turned_back');
  await waitForPath('/');
});
