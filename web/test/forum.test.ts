// @vitest-environment node
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openTraveller, type Traveller } from './traveller.ts';
import { PASSWORD, startWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
let traveller: Traveller;

beforeAll(async () => {
  world = await startWorld();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
afterEach(() => traveller.leave());

/** To the forum and back as one of its users; null turns back at its door. */
async function throughForum(user: string | null, path = '/login') {
  traveller = await openTraveller(browser, world.url, 'desktop');
  const { page, goTo } = traveller;
  await goTo(path);
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  if (user === null) await page.getByRole('link').first().click();
  else await page.getByRole('button', { name: user }).click();
  return traveller;
}

test('when a forum user is new, then an account is made, and the next time the forum alone opens the gate', async () => {
  const first = await throughForum('Lantern Keeper', '/login?return=/withdraw');
  await first.see('这个论坛身份还没有绑定游戏账号');
  expect(first.page.url()).not.toContain('ticket');
  await first.page.getByRole('button', { name: '创建并进入' }).click();
  await first.see('请先阅读并同意用户协议');
  await first.page.check('[name=agree]');
  await first.page.getByRole('button', { name: '创建并进入' }).click();
  await first.arriveAt('/withdraw');
  await first.leave();

  const second = await throughForum('Lantern Keeper');
  await second.arriveAt('/');
  await second.page.locator('.enter').waitFor();
});

test('when a player has an account, then the forum is bound to it, shown there, and can be let go', async () => {
  await world.register('bound_one');
  const { page, see, logIn, arriveAt } = await throughForum('夜雨');
  await page.check('[value=existing]');
  await logIn('bound_one', 'wrong-password');
  await see('账号或密码不对');
  await logIn('bound_one', PASSWORD);
  await arriveAt('/');

  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '账号绑定' }).click();
  await see(/绑定于/);
  const unlink = page.getByRole('button', { name: /解除绑定/ });
  expect(await unlink.textContent()).toMatch(/解除绑定 Lantern Forum/);
  await unlink.click();
  await page.getByRole('button', { name: /确定解除/ }).click();
  await see('还没有绑定任何身份');
});

test('when the player turns back at the forum, then the login page says so and works', async () => {
  await world.register('turned_back');
  const { see, logIn, arriveAt, page } = await throughForum(null);
  await see('您取消了论坛授权');
  expect(page.url()).not.toContain('error');
  await logIn('turned_back');
  await arriveAt('/');
});
