import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Size, sizes } from './browser.ts';
import { listen } from './stage.ts';
import { PASSWORD } from './world.ts';

/** A player at a browser of their own, with the few things every journey does. */
export async function openTraveller(browser: Browser, url: string, size: Size = 'phone', locale = 'zh-CN') {
  const context = await browser.newContext({ viewport: sizes[size], locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = listen(page);

  async function logIn(account: string, password = PASSWORD) {
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', password);
    await submit(page);
  }

  return {
    page,
    logIn,
    submit: () => submit(page),
    goTo: (path: string) => page.goto(url + path),
    arriveAt: (path: string) => page.waitForURL((at) => at.pathname + at.search + at.hash === path),
    see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    token: () => page.evaluate(() => sessionStorage.getItem('CQ-TOKEN')),
    async signIn(account: string, path = '/login') {
      await page.goto(url + path);
      await logIn(account);
    },
    /** What the game client in the frame was handed. */
    async received(): Promise<Record<string, unknown>> {
      const shown = page.frameLocator('iframe').locator('#received:not(:empty)');
      return JSON.parse((await shown.textContent()) ?? '{}');
    },
    async leave() {
      await context.close();
      // A refusal that the player meets is reported as a failed load by the browser itself.
      expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
    },
  };
}

export type Traveller = Awaited<ReturnType<typeof openTraveller>>;

const submit = (page: Page) => page.locator('form button[type=submit]').click();
