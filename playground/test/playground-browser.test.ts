import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../web/test/axe.ts';
import { openBrowser, sizes } from '../../web/test/browser.ts';
import { DEMO, type Playground, startPlayground } from './playground-app.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let playground: Playground;
let browser: Browser;

beforeAll(async () => {
  [playground, browser] = await Promise.all([startPlayground(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await playground.stop();
});

/** A page that reports every complaint of the browser, a refused script or style among them. */
async function openPage(size: keyof typeof sizes, locale = 'en') {
  // Without motion: a card that is still fading in has no contrast to examine.
  const context = await browser.newContext({ viewport: sizes[size], locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { page, complaints, context, home: `http://localhost:${playground.port}` };
}

/** Accessible, and no wider than the window: neither on the smallest phone nor on a desktop. */
async function examine(page: Page) {
  await expectAccessible(page);
  for (const size of ['small', 'wide'] as const) {
    await page.setViewportSize(sizes[size]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      sizes[size].width,
    );
  }
  await page.setViewportSize(sizes.phone);
}

test('when a player logs in, enters a zone and lights lanterns, then the balance grows and the way back works', async () => {
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

test('when the game is opened without the gate, then it says so and lets one practise', async () => {
  const { page, complaints, context, home } = await openPage('desktop', 'zh-CN');
  await page.goto(`${home}/playground/client/`);
  await page.locator('#start:has-text("随便玩玩")').click();
  await page.locator('body[data-screen=playing]').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('when another window sends a token, then the game does not take it', async () => {
  const { page, context, home } = await openPage('desktop');
  await page.goto(`${home}/playground/client/`);
  await page.locator('#start').waitFor();
  // Written as text, because it runs in the page.
  await page.evaluate(`dispatchEvent(new MessageEvent('message', {
    origin: 'http://evil.example',
    source: window,
    data: { type: 'gatehouse:enter', version: 1, account: 'a', token: 'x', server: { server_id: 1, name: 'Evil' } },
  }))`);
  await page.waitForTimeout(300);
  expect(await page.locator('#zone').textContent()).toBe('');
  await context.close();
});

test('when the game is entered by redirect, then the token leaves the address at once', async () => {
  const { page, context, home } = await openPage('phone');
  const { token } = (await playground.post('/api/login', DEMO)).body;
  const entry = new URLSearchParams({ account: DEMO.account, token, server_id: '2', name: 'South Street' });
  await page.goto(`${home}/playground/client/#${entry}`);
  await page.locator('body[data-screen=ready]').waitFor();
  expect(page.url()).toBe(`${home}/playground/client/`);
  expect(await page.locator('#balance').textContent()).toBe('60');
  await context.close();
});

test.each(['phone', 'desktop'] as const)(
  'when the mailbox is open on a %s, then a code appears by itself, and can be read by all',
  async (size) => {
    const { page, complaints, context, home } = await openPage(size);
    await page.goto(`${home}/playground/mail`);
    const email = `${size}@example.com`;
    await playground.post('/api/send_code', { email });
    const mail = page.locator('.mail', { hasText: email });
    await mail.waitFor();
    expect(await mail.locator('.code').textContent()).toBe(await playground.codeFor(email));
    expect(await page.title()).toMatch(/^\(\d{6}\)/);
    await page.locator('#language').click();
    expect(await page.locator('h1').textContent()).toBe('收件箱');
    expect(complaints).toEqual([]);
    await examine(page);
    await context.close();
  },
);

test('when the game is examined, then every card of it can be used by all', async () => {
  const { page, complaints, context, home } = await openPage('phone');
  const examineCard = async (screen: string) => {
    await page.locator(`body[data-screen=${screen}]`).waitFor();
    await examine(page);
  };
  // A minute would be long.
  await page.route('**/client/round.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace('ROUND_SECONDS = 60', 'ROUND_SECONDS = 3'),
    });
  });
  await page.goto(`${home}/playground/client/`);
  await examineCard('ready');
  await page.click('#start');
  await examineCard('done');
  expect(complaints).toEqual([]);
  // A token that the game does not take.
  // From another page: where the fragment alone is new the game stays loaded, and a reload may still be of the old address.
  await page.goto('about:blank');
  await page.goto(`${home}/playground/client/#account=a&token=t&server_id=1&name=Gate`);
  await examineCard('trouble');
  await context.close();
});

test('when the mailbox is empty, then it can be read by all and fits', async () => {
  const { page, complaints, context, home } = await openPage('phone', 'zh-CN');
  await page.route('**/mail/messages.json*', (route) =>
    route.fulfill({ json: { now: Date.now(), messages: [] } }),
  );
  await page.goto(`${home}/playground/mail`);
  await page.locator('#empty').waitFor();
  expect(complaints).toEqual([]);
  await examine(page);
  await context.close();
});

test.each([
  ['zh-CN', 'light'],
  ['en', 'dark'],
] as const)(
  'when the forum asks in %s who logs in, and the colours are %s, then all can use it',
  async (locale, colorScheme) => {
    const { page, complaints, context, home } = await openPage('phone', locale);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${home}/api/forumauth/authorize?redirect=/`);
    await page.locator('button[name=user]').first().waitFor();
    expect(complaints).toEqual([]);
    await examine(page);
    // A login that the forum does not know any more.
    await page.goto(page.url().replace(/[^/]+$/, 'gone'));
    await examine(page);
    await context.close();
  },
);
