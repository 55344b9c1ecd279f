import type { Browser } from 'playwright-core';
import { preloadAxe } from '../../web/test/axe.ts';
import { type Size, sizes } from '../../web/test/browser.ts';
import { collectConsoleErrors } from '../../web/test/open-page-state.ts';
import { NOW } from './fixtures/time.ts';
import type { MockApi } from './mock-api.ts';
import type { PageState } from './page-states/index.ts';

interface Options {
  readonly browser: Browser;
  /** Serves the pages: document and policy are the service's own, the API is mocked. */
  readonly api: MockApi;
  readonly size: Size;
  readonly language: 'zh-CN' | 'en';
}

export type StatePage = Awaited<ReturnType<typeof openStatePage>>;

/** Reuses one page for one state after another. */
export async function openStatePage({ browser, api, size, language }: Options) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(size === 'phone' && { isMobile: true, hasTouch: true }),
    ...(size === 'zoomed' && { deviceScaleFactor: 2 }),
  });
  await preloadAxe(context);
  // As after a login: without it the page asks for no session.
  await context.addInitScript(() => localStorage.setItem('gatehouse.operator', '1'));
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.clock.setFixedTime(NOW);
  const consoleErrors = collectConsoleErrors(page);
  return {
    page,
    /** Resolves when the state is reached, with what was logged to the console on the way. */
    async show(state: PageState): Promise<readonly string[]> {
      api.reply(state.replies);
      consoleErrors.length = 0;
      await page.goto(`${api.url}/console${state.path}`);
      await state.act?.(page);
      await page.locator(state.shows).first().waitFor();
      return consoleErrors;
    },
    close: () => context.close(),
  };
}
