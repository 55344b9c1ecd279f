import type { Browser, Page } from 'playwright-core';
import { preloadAxe } from './axe.ts';
import { type Size, sizes } from './browser.ts';
import { session } from './fixtures.ts';
import { mockApi } from './mock-api.ts';
import type { PageState } from './page-states/index.ts';

interface Options {
  readonly browser: Browser;
  readonly url: string;
  readonly size: Size;
  readonly language: 'zh-CN' | 'en';
  /** Of a phone's screen: only pictures need more than one pixel a pixel. */
  readonly density?: number;
}

/** One page that is brought into one state after another; a new one for each costs a process each, and 2.5 times the CPU. */
export async function openStatePage({ browser, url, size, language, density = 1 }: Options) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(sizes[size].width < 1000 && { deviceScaleFactor: density, isMobile: true, hasTouch: true }),
  });
  await preloadAxe(context);
  const page = await context.newPage();
  const consoleErrors = collectConsoleErrors(page);
  let ofState = new AsyncDisposableStack();

  /** Nothing of the state before is left: neither requests and timers, nor storage, answers, network or pointer. */
  async function reset() {
    await page.goto('about:blank');
    await ofState.disposeAsync();
    ofState = new AsyncDisposableStack();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.mouse.move(0, 0);
    consoleErrors.length = 0;
  }

  return {
    page,
    close: () => context.close(),
    /** Settles when the state is reached; answers what was written to the console on the way. */
    async show(state: PageState): Promise<readonly string[]> {
      await reset();
      await mockApi(page, state.answers);
      const forget = await page.addInitScript(() => {
        if (window !== top) return;
        sessionStorage.clear();
        localStorage.clear();
      });
      if (state.signedIn) {
        const signIn = await page.addInitScript(
          ([token, zone]) => {
            if (window !== top) return;
            sessionStorage.setItem('CQ-TOKEN', token ?? '');
            sessionStorage.setItem('gatehouse.zone', zone ?? '');
          },
          [session.token, String(session.server_id)],
        );
        ofState.defer(() => signIn.dispose());
      }
      await page.goto(url + state.path);
      await forget.dispose();
      await state.act?.(page);
      await page.locator(state.shows).first().waitFor();
      return consoleErrors;
    },
  };
}

export type StatePage = Awaited<ReturnType<typeof openStatePage>>;

/** Console errors and warnings, uncaught exceptions, CSP violations. */
export function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/** Without the failed loads of refusals and outages, which the browser reports and not the page. */
export const pageErrors = (errors: readonly string[]) =>
  errors.filter((line) => !line.startsWith('Failed to load resource'));
