import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Size, sizes } from './browser.ts';
import { collectConsoleErrors, pageErrors } from './open-page-state.ts';
import { PASSWORD } from './test-server.ts';

const submit = (page: Page) => page.locator('form button[type=submit]').click();

/** A player with their own browser context, and common actions. */
export async function openBrowserSession(browser: Browser, url: string, size: Size, locale: string) {
  const context = await browser.newContext({ viewport: sizes[size], locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const consoleErrors = collectConsoleErrors(page);

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
    waitForPath: (path: string) => page.waitForURL((at) => at.pathname + at.search + at.hash === path),
    waitForText: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    token: () => page.evaluate(() => sessionStorage.getItem('CQ-TOKEN')),
    async openAndLogIn(account: string, path = '/login') {
      await page.goto(url + path);
      await logIn(account);
    },
    /** Returns what the game client in the frame received. */
    async received(): Promise<Record<string, unknown>> {
      const shown = page.frameLocator('iframe').locator('#received:not(:empty)');
      return JSON.parse((await shown.textContent()) ?? '{}');
    },
    /** Resets the page for the next test, and checks that it logged no errors. */
    async reset() {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // Same origin, but without scripts that could write to the storage again.
      await page.goto(`${url}/api/health/live`);
      await page.evaluate(() => {
        sessionStorage.clear();
        localStorage.clear();
      });
      await page.goto('about:blank');
      await context.clearCookies();
      await page.mouse.move(0, 0);
      expect(pageErrors(consoleErrors.splice(0))).toEqual([]);
    },
  };
}

export type BrowserSession = Awaited<ReturnType<typeof openBrowserSession>>;
