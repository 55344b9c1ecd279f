import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { examinePage } from './examine-page.ts';
import { PASSWORD } from './test-server.ts';
import { throughForum } from './through-forum.ts';

// forum.slow.test.ts tests further logins by the forum.
const suite = browserSuite();

test('when a forum user is new, then an account is made, and the next time the forum alone logs in', async () => {
  const first = await throughForum(suite, 'Lantern Keeper', '/login?return=/withdraw');
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

  const second = await throughForum(suite, 'Lantern Keeper');
  await second.waitForPath('/');
  await second.page.locator('.enter').waitFor();
});

test('when a forum user is new and has no return path, then they choose a name and enter the game', async () => {
  const { page, waitForPath, received, submit } = await throughForum(suite, 'Night Watch');
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

test('when a player has an account, then the forum account can be linked, is shown, and can be unlinked', async () => {
  await suite.server.register('bound_one');
  const { page, waitForText, logIn, waitForPath } = await throughForum(suite, '夜雨');
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

test('when a player signs out and returns by the forum, then it asks who they are; its page is accessible', async () => {
  const { page, waitForPath } = await throughForum(suite, 'Lantern Keeper');
  await waitForPath('/');
  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  await page.getByRole('button', { name: '夜雨' }).waitFor();
  await examinePage(page, { consoleErrors: [] });
});

test('when the player cancels at the forum, then the login page says so and works', async () => {
  await suite.server.register('turned_back');
  const { waitForText, logIn, waitForPath, page } = await throughForum(suite, null);
  await waitForText('您取消了论坛授权');
  expect(page.url()).not.toContain('error');
  await logIn('turned_back');
  await waitForPath('/');
});
