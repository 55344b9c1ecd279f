import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { examinePage } from './examine-page.ts';

const suite = browserSuite();

/** Sums up layout shifts. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
const shiftsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);

test('when the browser prefers English, then so does the page; when the player switches, then it is remembered', async () => {
  const { page, goTo, waitForText } = await suite.openSession('desktop', 'en-GB');
  await goTo('/login');
  await waitForText('Forgot your password?');
  expect(await page.getAttribute('html', 'lang')).toBe('en');
  await page.getByRole('button', { name: /中文/ }).click();
  await waitForText('忘记密码？');
  await page.reload();
  await waitForText('忘记密码？');
  expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
});

test('when the operator writes an agreement, then the player can read it and it runs no script', async () => {
  const { page, goTo } = await suite.openSession();
  await goTo('/agree');
  await page.frameLocator('iframe').getByRole('heading', { name: '用户协议' }).waitFor();
  expect(await page.getAttribute('iframe', 'sandbox')).not.toContain('allow-scripts');
  // Its height fits the content: no scroll bar of its own.
  await expect
    .poll(() =>
      page
        .frameLocator('iframe')
        .locator('html')
        .evaluate((text) => text.scrollHeight - text.clientHeight),
    )
    .toBe(0);
  await page.getByRole('button', { name: /English/ }).click();
  await page.frameLocator('iframe').getByRole('heading', { name: 'User agreement' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.waitForURL(/\/login$/);
});

test('when the login page opens, then it has the game’s name immediately, requests no settings and nothing moves', async () => {
  const { page, goTo, waitForText } = await suite.openSession('desktop', 'en-GB');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await watchShifts(page);
  const source = await (await goTo('/login'))?.text();
  expect(source).toContain('<html lang="en">');
  expect(source).toContain('<title>烽火长安</title>');
  expect(source).toContain('<p>烽火长安</p>');
  expect(source).toMatch(/<meta name="description" content="烽火长安: log in/);
  await waitForText('Forgot your password?');
  await page.waitForLoadState('networkidle');
  expect(requested).not.toContain('/api/config');
  expect(await shiftsOf(page)).toBe(0);
  // Desktops focus the first field.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('account');
});

test('when a page opens, then its document names everything shown first, and nothing moves while it loads', async () => {
  const { page, goTo, openAndLogIn, waitForPath, waitForText } = await suite.openSession('phone', 'en-GB');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await watchShifts(page);
  await suite.server.register('first_load');
  await openAndLogIn('first_load');
  await waitForPath('/');
  for (const [path, heading] of [
    ['/', 'Choose a zone'],
    ['/withdraw', 'History'],
    ['/account', 'Recent logins'],
    ['/no/such/page', 'No road leads here'],
  ] as const) {
    requested.length = 0;
    const response = await goTo(path);
    const source = (await response?.text()) ?? '';
    await waitForText(heading);
    const found = requested.filter(
      (file) => /^\/assets\/.*(?:js|css)$/.test(file) && !source.includes(`"${file}"`),
    );
    expect({ path, found }).toEqual({ path, found: [] });
    // Its inline style is allowed by hash only.
    expect(response?.headers()['content-security-policy']).toMatch(/style-src 'self' 'sha256-[^']{44}';/);
    expect(source).not.toContain('rel="stylesheet"');
    await page.waitForLoadState('networkidle');
    expect({ path, shifts: await shiftsOf(page) }).toEqual({ path, shifts: expect.closeTo(0, 1) });
  }
});

test('when an operator publishes a look and news, then both are shown immediately, and the news can be read without a session', async () => {
  const { operate } = suite.server;
  await operate('site', 'set', 'title', '云岭传说');
  await operate('site', 'set', 'accent', '#5aa9ff');
  const article = ['--title', '攻城战', '--summary', '周五晚八点', '--body', '**全服**攻城'];
  await operate('announcement', 'add', '--kind', 'news', ...article);
  const { page, goTo } = await suite.openSession('phone');
  // Look and news are read at separate intervals, and a page does not request the news that its document had. The look may also
  // be read between its two changes.
  for (const published of ['云岭传说', '#5aa9ff', '攻城战'])
    await expect.poll(async () => (await goTo('/login'))?.text()).toContain(published);
  await watchShifts(page);
  await goTo('/login');
  await page.getByText('攻城战').waitFor();
  expect(await page.title()).toBe('登录 · 云岭传说');
  const submit = page.locator('form button[type=submit]');
  expect(await submit.evaluate((button) => getComputedStyle(button).backgroundImage)).toContain(
    'rgb(90, 169, 255)',
  );
  const { y = 0, height = 0 } = (await submit.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(844);
  expect(await shiftsOf(page)).toBeLessThanOrEqual(0.01);
  await page.getByText('攻城战').click();
  await page.waitForURL(/\/news\/\d+$/);
  await page.locator('article strong', { hasText: '全服' }).waitFor();
  expect(await page.title()).toBe('攻城战 · 云岭传说');
  await page.getByRole('link', { name: '全部新闻' }).click();
  await page.getByText('周五晚八点').waitFor();
  await operate('site', 'unset', 'title');
  await operate('site', 'unset', 'accent');
});

test('when the API page is opened, then it is small, accessible and complete', async () => {
  const { page, goTo } = await suite.openSession('desktop', 'en-GB');
  const response = await goTo('/api/docs');
  expect((await response?.request().sizes())?.responseBodySize).toBeLessThan(20_000);
  await page.getByRole('searchbox').fill('reset_password code');
  expect(await page.locator('article:visible').count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.evaluate(() => {
    for (const each of document.querySelectorAll<HTMLDetailsElement>('details:is(#login *, #live *)'))
      each.open = true;
    // All operations are examined in the slow tier.
    for (const each of document.querySelectorAll('article:not(#login, #live)')) each.remove();
  });
  await page.locator('#live .try').click();
  await page.locator('#live form button').click();
  await page.locator('#live form pre', { hasText: '"live"' }).waitFor();
  await examinePage(page, { consoleErrors: [] });
});
