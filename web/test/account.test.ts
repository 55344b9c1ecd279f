import { execFileSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { requireExecutable } from '../../test-support/executables.ts';
import { browserSuite } from './browser-suite.ts';
import { PASSWORD } from './test-server.ts';

const suite = browserSuite();
const NEW_PASSWORD = 'Starlight-over-43';

/** Returns the authenticator's code, now or later: each code is accepted once. */
const codeFor = (secret: string, later = 0) =>
  execFileSync(
    requireExecutable('oathtool'),
    ['--totp', '--base32', '--now', `now + ${later} seconds`, secret],
    {
      encoding: 'utf8',
    },
  ).trim();

test('when a player changes the password, then other browsers are signed out and this one stays', async () => {
  const { account } = await suite.server.register('changing');
  const other = await suite.openSession('desktop', 'en');
  await other.openAndLogIn(account);
  await other.waitForPath('/');
  const { page, openAndLogIn, submit, waitForText, waitForPath, goTo } = await suite.openSession();
  await openAndLogIn(account, '/login?return=/account');
  await waitForText('最近登录');
  await page.getByRole('link', { name: /修改密码/ }).click();
  await page.fill('[name=old_password]', 'not-it-at-all');
  await page.fill('[name=password]', NEW_PASSWORD);
  await submit();
  await waitForText('密码错误，请重试');
  await page.fill('[name=old_password]', PASSWORD);
  await submit();
  await waitForText('密码已修改，其他设备都已退出登录');
  await waitForPath('/account');

  await other.goTo('/account');
  await other.waitForText('Your session');
  await goTo('/account');
  await waitForText('登录失败');
});

test('when a player changes the e-mail address, then the code goes to the new one', async () => {
  const { account } = await suite.server.register('moving');
  const { page, openAndLogIn, submit, waitForText } = await suite.openSession();
  await openAndLogIn(account, '/login?return=/account/email');
  await page.fill('[name=email]', 'moved@example.com');
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.fill('[name=code]', await suite.server.code('moved@example.com'));
  await page.fill('[name=password]', PASSWORD);
  await submit();
  await waitForText('邮箱已更换');
  await waitForText('moved@example.com');
});

test('when a player turns two-factor login on, then login and withdrawal ask for a code', async () => {
  const { account } = await suite.server.register('careful');
  const role = await suite.server.zone.addRole({ account, name: '守夜人', level: 9, balance: 1000 });
  const { page, openAndLogIn, submit, waitForText, waitForPath } = await suite.openSession();
  await openAndLogIn(account, '/login?return=/account/two-factor');
  await waitForPath('/account/two-factor');
  await page.fill('[name=password]', 'not-it-at-all');
  await submit();
  await waitForText('密码错误，请重试');
  await page.fill('[name=password]', PASSWORD);
  await submit();
  await page.locator('.qr').waitFor();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replace(/\s/g, '');
  await page.fill('[name=code]', codeFor(secret));
  await submit();
  await page.locator('.codes li').nth(9).waitFor();
  const [recovery = ''] = await page.locator('.codes li').allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载恢复码' }).click(),
  ]);
  expect(await text(await download.createReadStream())).toContain(recovery);
  await page.getByRole('button', { name: '完成' }).click();
  await waitForText('已开启');

  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await openAndLogIn(account, '/login?return=/withdraw');
  await waitForText('打开身份验证器应用');
  await page.fill('[name=code]', '000000');
  await submit();
  await waitForText('动态码错误');
  await page.fill('[name=code]', codeFor(secret, 30));
  await submit();
  await waitForPath('/withdraw');

  await page.selectOption('[name=server_id]', { label: '玄武门' });
  await page.fill('[name=amount]', '300');
  await submit();
  await page.getByRole('button', { name: '确认提现' }).click();
  await waitForText('确认是您本人');
  expect(suite.server.zone.balance(role.id)).toBe(1000);
  await page.fill('[name=one_time_code]', recovery);
  await page.getByRole('dialog').getByRole('button', { name: '确认提现' }).click();
  await waitForText('提现成功');
  expect(suite.server.zone.balance(role.id)).toBe(700);

  await page.goto(`${suite.server.url}/account/two-factor`);
  await page.fill('[name=password]', PASSWORD);
  await page.fill('[name=code]', '000000');
  await page.getByRole('button', { name: '关闭两步验证' }).click();
  await waitForText('密码或动态码错误');
});

test('when the forum made the account, then it gets its own name, e-mail address and password', async () => {
  const { page, goTo, submit, waitForText } = await suite.openSession('desktop');
  await goTo('/login?return=/account');
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  await page.getByRole('button', { name: 'Lantern Keeper' }).click();
  await page.check('[name=agree]');
  await page.getByRole('button', { name: '创建并进入' }).click();
  await waitForText('请在开始游戏前修改');
  await page.fill('[name=account]', 'keeper_of_light');
  await submit();
  await waitForText('您的账号名已改为 keeper_of_light');
  await page.getByRole('link', { name: /修改密码/ }).click();
  await page.fill('[name=password]', NEW_PASSWORD);
  await submit();
  await waitForText('密码已修改');
  expect(await page.getByRole('link', { name: /选择账号名/ }).count()).toBe(0);
});

test('when a player downloads the data and has the account deleted, then a login cancels the deletion', async () => {
  const { account, email } = await suite.server.register('leaving');
  const { page, openAndLogIn, submit, waitForText } = await suite.openSession();
  await openAndLogIn(account, '/login?return=/account');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载我的数据' }).click(),
  ]);
  expect(await text(await download.createReadStream())).toContain(email);

  await page.getByRole('button', { name: '删除账号' }).click();
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.fill('[name=code]', await suite.server.code(email));
  await page.fill('[name=password]', PASSWORD);
  await submit();
  await waitForText(/账号将于 .* 删除/);

  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await openAndLogIn(account, '/login?return=/withdraw');
  await waitForText('您已重新登录，账号不会被删除');
  expect(await page.getByText(/账号将于/).count()).toBe(0);
});

test('when a player with a balance and two-factor login deletes the account, then it warns, asks for a code and can be cancelled', async () => {
  const { account, email } = await suite.server.register('rich_leaver');
  await suite.server.zone.addRole({ account, name: '守财奴', level: 9, balance: 888 });
  const { page, openAndLogIn, goTo, submit, waitForText, waitForPath } = await suite.openSession();
  await openAndLogIn(account, '/login?return=/account/two-factor');
  await waitForPath('/account/two-factor');
  await page.fill('[name=password]', PASSWORD);
  await submit();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replace(/\s/g, '');
  await page.fill('[name=code]', codeFor(secret));
  await submit();
  await page.locator('.codes li').nth(9).waitFor();
  const [recovery = ''] = await page.locator('.codes li').allTextContents();
  await page.getByLabel('我已保存好恢复码').check();
  await page.getByRole('button', { name: '完成' }).click();
  await waitForText('已开启');

  await goTo('/account/two-factor');
  await waitForText('还剩 10 个恢复码');
  await page.fill('[name=renew_code]', recovery);
  await page.getByRole('button', { name: '生成新的恢复码' }).click();
  await page.locator('.codes li').nth(9).waitFor();
  const [, second = ''] = await page.locator('.codes li').allTextContents();

  await page.evaluate(
    (zones) => localStorage.setItem('gatehouse.recent', zones),
    JSON.stringify({ account, zones: [1] }),
  );
  await goTo('/account/delete');
  await waitForText(/角色“守财奴”（玄武门）：888/);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.fill('[name=code]', await suite.server.code(email));
  await page.fill('[name=password]', PASSWORD);
  await page.fill('[name=second_factor]', second);
  await submit();
  await waitForText(/账号将于 .* 删除/);
  await page.getByRole('button', { name: '保留账号' }).click();
  await waitForText('账号不会被删除。');
  await expect.poll(() => page.getByText(/账号将于/).count()).toBe(0);
});

test('when support gave a temporary password, then the player must choose another one first', async () => {
  const { account } = await suite.server.register('rescued');
  const temporary = await temporaryPassword(account);
  const { page, goTo, logIn, submit, waitForText, waitForPath } = await suite.openSession();
  await goTo('/login?return=/withdraw');
  await logIn(account, temporary);
  await waitForPath('/account/password?next=/withdraw');
  await waitForText('您正在使用客服提供的临时密码');
  await goTo('/');
  await waitForPath('/account/password?next=/');
  await page.fill('[name=old_password]', temporary);
  await page.fill('[name=password]', temporary);
  await submit();
  await waitForText('新密码不能与当前密码相同');
  await page.fill('[name=password]', NEW_PASSWORD);
  await submit();
  await waitForPath('/');
});

test('when a player stays logged in, then a new browser window is logged in too, until they sign out', async () => {
  const { account } = await suite.server.register('at_home');
  const { page, goTo, logIn, waitForPath } = await suite.openSession();
  await goTo('/login');
  await page.getByLabel('在此设备上保持登录').check();
  await logIn(account);
  await waitForPath('/');
  await page.evaluate(() => sessionStorage.clear());
  await goTo('/withdraw');
  await page.locator('.toggle').click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await waitForPath('/login');
  await goTo('/withdraw');
  await waitForPath('/login?return=/withdraw');
});

/** Resets the password as an operator does. */
async function temporaryPassword(account: string): Promise<string> {
  const { operate, url } = suite.server;
  const key = /ghk_\S+/.exec(await operate('operator', 'key', 'add', 'helpdesk', '--role', 'support'))?.[0];
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await fetch(`${url}/api/admin/${path}`, { ...init, headers })).json();
  };
  const { players } = (await ask(`players?q=${account}`)) as { players: { player_id: number }[] };
  const body = JSON.stringify({ reason: 'lost' });
  const answer = await ask(`players/${players[0]?.player_id}/reset_password`, { method: 'POST', body });
  return (answer as { temporary_password: string }).temporary_password;
}
