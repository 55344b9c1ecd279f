import type { Browser } from 'playwright-core';
import { type Size, sizes } from '../../web/test/browser.ts';
import { collectConsoleErrors } from '../../web/test/open-page-state.ts';
import { NOW } from './fixtures/time.ts';
import { mockApi } from './mock-api.ts';
import type { PageState } from './page-states/index.ts';

interface Options {
  readonly browser: Browser;
  /** Where the service is: the document and its policy are the real ones, the API is mocked in the page. */
  readonly url: string;
  readonly size: Size;
  readonly language: 'zh-CN' | 'en';
}

export type StatePage = Awaited<ReturnType<typeof openStatePage>>;

/** One page that is brought into one state after another. */
export async function openStatePage({ browser, url, size, language }: Options) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(size === 'phone' && { deviceScaleFactor: 2, isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.clock.setFixedTime(NOW);
  const consoleErrors = collectConsoleErrors(page);
  return {
    page,
    /** Settles when the state is reached; answers what was written to the console on the way. */
    async show(state: PageState): Promise<readonly string[]> {
      await page.goto('about:blank');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      consoleErrors.length = 0;
      await mockApi(page, state.replies);
      await page.goto(`${url}/console${state.path}`);
      await state.act?.(page);
      await page.locator(state.shows).first().waitFor();
      return consoleErrors;
    },
    close: () => context.close(),
  };
}
