import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BrowserSession } from './browser-session.ts';
import { browserSuite } from './browser-suite.ts';

const suite = browserSuite();

afterEach(() => suite.server.zone.setFaults([]));

/** Opens the withdrawal form for a player with one role of 1,000 in zone 1. */
async function openForm(account: string) {
  await suite.server.register(account);
  const role = await suite.server.zone.addRole({
    account,
    name: `侠客_${account}`,
    level: 30,
    balance: 1000,
  });
  const session = await suite.openSession();
  const { page, openAndLogIn } = session;
  await openAndLogIn(account, '/withdraw');
  await page.selectOption('[name=server_id]', { label: '玄武门' });
  await page.fill('[name=amount]', '300');
  const taken = () => suite.server.zone.deductions().filter(({ roleId }) => roleId === role.id);
  return { ...session, role, taken };
}

async function confirm({ page, submit }: BrowserSession) {
  await submit();
  await page.getByRole('button', { name: '确认提现' }).click();
}

describe('a withdrawal', () => {
  test('when all is well, then it is done, shown and taken once, however often confirm is clicked', async () => {
    const { page, waitForText, submit, role, taken } = await openForm('steady');
    await submit();
    await page.getByRole('button', { name: '确认提现' }).dblclick();
    await waitForText('提现成功');
    await waitForText('当前余额 700');
    await page.locator('li.done', { hasText: '300' }).waitFor();
    expect(taken()).toHaveLength(1);
    expect(suite.server.zone.balance(role.id)).toBe(700);
    await page.locator('.facts dd').first().waitFor();

    // The game has saved, which the service cannot know, so the displayed balance stays the same.
    await page.getByRole('button', { name: '再次提现' }).click();
    await expect.poll(() => page.locator('.role .balance').innerText()).toMatch(/700\s+其中 300 结算中/);
    await page.fill('[name=amount]', '500');
    await submit();
    await waitForText('超过了该角色目前可提现的余额');
    await page.locator('.day', { hasText: '今日已提 300' }).waitFor();
    await page.getByRole('button', { name: '未扣除' }).click();
    await waitForText('没有符合条件的记录');
  });

  test('when the amount is invalid, then the page says so before anything is sent', async () => {
    const { page, waitForText, submit, taken } = await openForm('careless');
    for (const [amount, said] of [
      ['50', '最少提现 100'],
      ['250', '倍数'],
      ['2000', '超过了该角色目前可提现的余额'],
      ['9900', '单次最多提现 5,000'],
    ] as const) {
      await page.fill('[name=amount]', amount);
      await submit();
      await waitForText(said);
    }
    expect(taken()).toHaveLength(0);
  });

  test('when the game server gives no clear answer, then the page shows it as being checked and later as done', async () => {
    let receipts = false;
    suite.server.zone.setFaults(({ operid }) => {
      if (operid === '10030') return 'drop_after';
      return receipts ? 'ok' : 'http_500_before';
    });
    const at = await openForm('uncertain');
    await confirm(at);
    await at.waitForText('结果正在核实');
    await at.waitForText('货币可能已扣除，也可能未扣除');
    receipts = true;
    await at.page.getByText('提现成功').waitFor({ timeout: 60_000 });
    await at.page.locator('li.done').waitFor();
    expect(at.taken()).toHaveLength(1);
  }, 90_000);

  test('when the page reloads before the answer, then asking again finds it without a second deduction', async () => {
    const at = await openForm('impatient');
    const answer = Promise.withResolvers<unknown>();
    // The service answers, but the page never receives it.
    await at.page.route('**/api/game/withdraw', (route) => answer.resolve(route.fetch()), { times: 1 });
    await confirm(at);
    await answer.promise;
    await at.page.reload();
    await at.waitForText('未收到结果');
    await at.page.getByRole('button', { name: '查询结果' }).click();
    await at.waitForText('提现成功');
    expect(at.taken()).toHaveLength(1);
  });

  test('when the game server refuses, then nothing is taken and the player may try again', async () => {
    suite.server.zone.setFaults(['refuse']);
    const at = await openForm('refused');
    await confirm(at);
    await at.waitForText('没有扣除任何货币');
    await confirm(at);
    await at.waitForText('提现成功');
    expect(at.taken()).toHaveLength(1);
  });

  test('when the session ends at the moment of confirming, then a login brings the filled form back', async () => {
    const at = await openForm('interrupted');
    await at.submit();
    await suite.server.operate('player', 'sign-out', 'interrupted');
    await at.page.getByRole('button', { name: '确认提现' }).click();
    await at.waitForText('登录已过期');
    await at.logIn('interrupted');
    await at.waitForPath('/withdraw');
    await expect.poll(() => at.page.inputValue('[name=amount]')).toBe('300');
    await confirm(at);
    await at.waitForText('提现成功');
    expect(at.taken()).toHaveLength(1);
  });

  test('when the operator closes withdrawals, then the page says so', async () => {
    const at = await openForm('too_late');
    await at.submit();
    const { settings, writeSettings } = suite.server.service;
    onTestFinished(() => writeSettings(settings));
    writeSettings({ ...settings, withdraw: { enabled: false } });
    await expect
      .poll(async () => (await (await fetch(`${suite.server.url}/api/config`)).json()).withdraw.enabled)
      .toBe(false);
    await at.page.getByRole('button', { name: '确认提现' }).click();
    await at.waitForText('提现功能暂未开放');
  });
});
