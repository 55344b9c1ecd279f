import { expect, test, vi } from 'vitest';
import { DEMO, PASSWORD } from './playground-app.ts';
import { examine, playgroundSuite } from './playground-suite.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { playground, openPage } = playgroundSuite();

test('when a player logs in, enters a zone and lights lanterns, then the balance grows and the back button works', async () => {
  const { page, complaints, context, home } = await openPage('phone');
  await page.goto(`${home}/login`);
  await page.fill('input[name=account]', DEMO.account);
  await page.fill('input[type=password]', DEMO.password);
  await page.click('button[type=submit]');
  await page.click('.enter');
  const game = page.frameLocator('iframe');
  await game.locator('body[data-screen=ready]').waitFor();
  expect(await game.locator('#balance').textContent()).toBe('8,888');
  expect(await game.locator('#zone').textContent()).toContain('North Gate');
  expect(
    page
      .frames()
      .map((frame) => frame.url())
      .join(),
  ).not.toMatch(/ey[\w-]+\./);

  await game.locator('#start').click();
  const balance = async () => Number((await game.locator('#balance').textContent())?.replace(',', ''));
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Space');
        return balance();
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBeGreaterThan(8890);
  await page.goBack();
  await page.locator('.enter').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(['phone', 'desktop'] as const)(
  'when the mailbox is open on a %s, then a new code appears without a reload, and is accessible',
  async (size) => {
    const { page, complaints, context, home } = await openPage(size);
    await page.goto(`${home}/playground/mail`);
    const email = `${size}@example.com`;
    await playground().post('/api/send_code', { email });
    const mail = page.locator('.mail', { hasText: email });
    await mail.waitFor();
    expect(await mail.locator('.code').textContent()).toBe(await playground().codeFor(email));
    expect(await page.title()).toMatch(/^\(\d{6}\)/);
    const [account, password] = [`reader_${size}`, 'Sunrise-over-43'];
    const token = await playground().register(account);
    await playground().post('/api/account/password', { old_password: PASSWORD, password }, token);
    const notice = page
      .locator('.mail', { hasText: /密码|password/i })
      .filter({ hasText: `${account}@example.com` });
    await notice.locator('.text', { hasText: account }).waitFor();
    expect(await notice.locator('.code, .copy, .left, .life').count()).toBe(0);
    await page.locator('#language').click();
    expect(await page.locator('h1').textContent()).toBe('收件箱');
    expect(complaints).toEqual([]);
    await examine(page);
    await context.close();
  },
);
