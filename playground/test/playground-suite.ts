import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { expectAccessible } from '../../web/test/axe.ts';
import { openBrowser, sizes } from '../../web/test/browser.ts';
import { type Playground, startPlayground } from './playground-app.ts';

/** A page that collects everything the browser complains about, a refused script or style among them. */
interface OpenPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly context: BrowserContext;
  readonly home: string;
}

/** One playground and one browser for the tests of a file. */
export function playgroundSuite() {
  let playground: Playground;
  let browser: Browser;

  beforeAll(async () => {
    [playground, browser] = await Promise.all([startPlayground(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await playground?.stop();
  });

  return {
    playground: () => playground,
    async openPage(size: keyof typeof sizes, locale = 'en'): Promise<OpenPage> {
      // Without motion, because a card that is still fading in has no contrast to check.
      const context = await browser.newContext({ viewport: sizes[size], locale, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      return { page, complaints, context, home: `http://localhost:${playground.port}` };
    },
  };
}

/** Accessible, and not wider than the window, on the smallest phone and on a desktop. */
export async function examine(page: Page) {
  await expectAccessible(page);
  for (const size of ['small', 'wide'] as const) {
    await page.setViewportSize(sizes[size]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      sizes[size].width,
    );
  }
  await page.setViewportSize(sizes.phone);
}
