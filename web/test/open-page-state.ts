import type { Browser, Page } from 'playwright-core';
import { type Size, sizes } from './browser.ts';
import { session } from './fixtures.ts';
import { mockApi } from './mock-api.ts';
import type { PageState } from './page-states/index.ts';

interface Options {
  readonly browser: Browser;
  readonly url: string;
  readonly size: Size;
  readonly language: 'zh-CN' | 'en';
}

/** A page brought into a state, with what was written to the console on the way. */
export async function openPageState(state: PageState, { browser, url, size, language }: Options) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(size === 'phone' && { deviceScaleFactor: 2, isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  const consoleErrors = collectConsoleErrors(page);
  await mockApi(page, state.answers);
  if (state.signedIn) {
    await page.addInitScript(
      ([token, zone]) => {
        if (window !== top) return;
        sessionStorage.setItem('CQ-TOKEN', token ?? '');
        sessionStorage.setItem('gatehouse.zone', zone ?? '');
      },
      [session.token, String(session.server_id)],
    );
  }
  await page.goto(url + state.path);
  await state.act?.(page);
  await page.locator(state.shows).first().waitFor();
  return { page, consoleErrors, close: () => context.close() };
}

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
