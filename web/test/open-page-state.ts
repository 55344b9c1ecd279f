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
  /** Device pixel ratio of a phone; only screenshots need more than 1. */
  readonly density?: number;
}

/** Reuses one page for one state after another; a new page per state costs a process and 2.5 times the CPU. */
export async function openStatePage({ browser, url, size, language, density = 1 }: Options) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(size === 'zoomed'
      ? { deviceScaleFactor: 2 }
      : sizes[size].width < 1000 && { deviceScaleFactor: density, isMobile: true, hasTouch: true }),
  });
  await preloadAxe(context);
  const page = await context.newPage();
  const consoleErrors = collectConsoleErrors(page);
  let ofState = new AsyncDisposableStack();

  /** Clears the previous state: requests, timers, storage, answers, network and pointer. */
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
    /** Resolves when the state is reached, with what was logged to the console on the way. */
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

/** Collects console errors and warnings, uncaught exceptions and CSP violations. */
export function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/**
 * Drops what the browser logs and not the page: failed loads of refusals and outages, and that the style of a guarded page was
 * not used for five seconds, because the visitor was still on the login page.
 */
export const pageErrors = (errors: readonly string[]) =>
  errors.filter(
    (line) => !/^Failed to load resource|was preloaded using link preload but not used/.test(line),
  );
