import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { PASSWORD } from './test-server.ts';
import { throughForum } from './through-forum.ts';

const suite = browserSuite();

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

test('when a player resets the password and unlinks, then the forum account no longer logs in', async () => {
  const { email } = await suite.server.register('taken_over');
  const linked = await throughForum(suite, '夜雨');
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

  const again = await throughForum(suite, '夜雨');
  await again.waitForText('该论坛账号尚未绑定游戏账号');
});
