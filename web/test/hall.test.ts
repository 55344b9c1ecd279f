import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fiftyZones, records, zones } from './fixtures.ts';
import type { Answers } from './mock-api.ts';
import { openStatePage, type StatePage } from './open-page-state.ts';
import { staticSuite } from './static-suite.ts';
import { withoutLongTimers } from './timers.ts';

const suite = staticSuite();
let desktop: StatePage;
let page: Page;

beforeAll(async () => {
  desktop = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  page = desktop.page;
});

const list = (servers: unknown) => ({ 'GET /api/server/list': { body: { servers } } });
const open = (answers: Answers = {}, path = '/', shows = '.enter') =>
  desktop.show({ name: 'hall', path, signedIn: true, answers, shows, failing: true });

/** Returns the zone that the page requests to enter. */
function entered(): Promise<number> {
  return page
    .waitForRequest((request) => request.url().endsWith('/api/enter_game'))
    .then((request) => request.postDataJSON().server_id);
}

test('when a search hides the chosen zone, then the zone shown as chosen is the one entered', async () => {
  await open(list(fiftyZones));
  await page.fill('[type=search]', '36');
  expect(await page.locator('.zone.on').innerText()).toContain('鲲鹏36区');
  const request = entered();
  await page.getByRole('button', { name: 'Enter 鲲鹏36区' }).click();
  expect(await request).toBe(36);
});

test('when a search has one hit, then Enter enters it; when none can be entered, then nothing is entered', async () => {
  await open(list(fiftyZones));
  await page.fill('[type=search]', '50');
  await page.getByText('Opens in').first().waitFor();
  expect(await page.locator('.enter').count()).toBe(0);
  await page.fill('[type=search]', '36');
  const request = entered();
  await page.press('[type=search]', 'Enter');
  expect(await request).toBe(36);
});

test('when Enter is pressed on a zone, then it is entered', async () => {
  await open();
  await page.locator('.zone', { hasText: '曲江池' }).locator('input').focus();
  const request = entered();
  await page.keyboard.press('Enter');
  expect(await request).toBe(10);
});

test('when a zone opens later, whatever its status, then it says so and counts down', async () => {
  const soon = new Date(Date.now() + 8 * 24 * 3600 * 1000).toISOString();
  await open(list([zones[1], { ...zones[3], status: 'busy', opened_at: soon }]));
  const card = page.locator('.zone', { hasText: '大明宫' });
  expect(await card.innerText()).toMatch(/Opens in (7 d 23:59|8 d 0:00):\d\d[\s\S]*Opening soon/);
  expect(await card.innerText()).not.toContain('Busy');
  expect(await card.locator('input').isDisabled()).toBe(true);
});

test('when a zone opens in months, then its days are counted; on the smallest phone name and note are fully visible', async () => {
  const later = new Date(Date.now() + 100.5 * 24 * 3600 * 1000).toISOString();
  await page.setViewportSize({ width: 320, height: 640 });
  await open(list([zones[1], { ...zones[3], opened_at: later }]));
  const card = page.locator('.zone', { hasText: '大明宫' });
  expect(await card.innerText()).toContain('Opens in 100 days');
  const cut = await page
    .locator('.zone :is(.name, .note)')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('when one zone of fifty was played recently, then it is in the panel and the recommended one is shown', async () => {
  await open(list(fiftyZones));
  expect(await page.locator('.tabs [aria-pressed=true]').innerText()).toContain('Recommended');
  expect(await page.locator('.zone').count()).toBeGreaterThan(1);
});

test('when a part of the balance is settling, then the panel shows the same balance as the withdrawal page', async () => {
  const roles = [{ role_id: 1001, name: '风清扬', level: 78, balance: 12_300, settling: 500 }];
  await open({ 'GET /api/game/roles': { body: { roles } } }, '/', '.go-on .role');
  expect(await page.locator('.go-on .role').innerText()).toContain('12,800');
});

test('when there are fifty zones, then a tab shows a part, all cards have the same height, and a filter searches all', async () => {
  await open(list(fiftyZones));
  await page.getByRole('button', { name: /Recommended/ }).click();
  const heights = await page.locator('.zone').evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(heights.length).toBeLessThan(12);
  expect(new Set(heights).size).toBe(1);
  await page.selectOption('.picker select', 'maintenance');
  const shown = await page.locator('.zone').allInnerTexts();
  expect(shown).toHaveLength(fiftyZones.filter(({ status }) => status === 'maintenance').length);
});

test('when the enter button is scrolled out of view, then a bar at the bottom shows it', async () => {
  await open(list(fiftyZones));
  await page.getByRole('button', { name: /2025/ }).first().click();
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.locator('footer').scrollIntoViewIfNeeded();
  const request = entered();
  await page.locator('.bar').getByRole('button', { name: 'Enter the game' }).click();
  expect(await request).toBe(11);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('when arrow keys are pressed in the account menu, then they move through it', async () => {
  await open();
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await page.focus('.toggle');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Withdraw');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('Sign out');
  await page.keyboard.press('Home');
  expect(await focused()).toBe('Withdraw');
  await page.keyboard.press('Escape');
  expect(await page.locator('.items').count()).toBe(0);
});

test('when the user forces their own colours, then the chosen zone is still recognisable', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open();
  const widthOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).borderTopWidth);
  expect(await widthOf('.zone.on')).toBe('3px');
  expect(await widthOf('.zone:not(.on)')).toBe('1px');
  await page.emulateMedia({ forcedColors: 'none' });
});

test('when the network is down and the page is scrolled, then the header is fully visible below the notice', async () => {
  await open(list(fiftyZones));
  await page.getByRole('button', { name: /2025/ }).first().click();
  await page.context().setOffline(true);
  await page.locator('.offline').waitFor();
  await page.locator('footer').scrollIntoViewIfNeeded();
  const [notice, brand] = await Promise.all(
    ['.offline', '.brand'].map((selector) => page.locator(selector).boundingBox()),
  );
  expect(brand?.y).toBeGreaterThanOrEqual((notice?.y ?? 0) + (notice?.height ?? 0));
});

test('when a part of the page cannot be loaded, then the page tells a service that is down from a newer release', async () => {
  const toWithdraw = async (config: Answers[string]) => {
    await open({ 'GET /api/config': [{ body: (await import('./fixtures.ts')).config }, config].flat() });
    await page.route(/WithdrawView/, (route) => route.abort());
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Withdraw/ })
      .click();
  };
  await toWithdraw('cut');
  await page.getByText('You seem to be offline').waitFor();
  expect(await page.getByText('newer').count()).toBe(0);
  await toWithdraw({ body: (await import('./fixtures.ts')).config });
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
});

test('when the network returns, then the history is loaded immediately', async () => {
  const healthy = { body: { withdrawals: records.slice(1), next: null } };
  // Otherwise the page would poll again only after 15 s.
  const timers = await withoutLongTimers(page);
  await open({ 'GET /api/game/withdrawals': ['cut', healthy] }, '/withdraw', '.trouble');
  await timers.dispose();
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  // On a machine without a network, Chromium is always offline and fires no event.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.locator('li.done').first().waitFor();
});
