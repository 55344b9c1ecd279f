import type { Browser, Page } from 'playwright-core';
import { type Size, sizes } from './browser.ts';
import { playApi, session, token } from './fake-api.ts';
import type { Scene } from './scenes.ts';

interface Staging {
  readonly browser: Browser;
  readonly url: string;
  readonly size: Size;
  readonly language: 'zh-CN' | 'en';
}

/** A page brought into a scene's state, with what the console said on the way. */
export async function stage(scene: Scene, { browser, url, size, language }: Staging) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...(size === 'phone' && { deviceScaleFactor: 2, isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  const complaints = listen(page);
  await playApi(page, scene.answers);
  if (scene.signedIn) {
    await page.addInitScript(
      ([jwt, zone]) => {
        if (window !== top) return;
        sessionStorage.setItem('CQ-TOKEN', jwt ?? '');
        sessionStorage.setItem('gatehouse.zone', zone ?? '');
      },
      [token, String(session.server_id)],
    );
  }
  await page.goto(url + scene.path);
  await scene.act?.(page);
  await page.locator(scene.shows).first().waitFor();
  return { page, complaints, close: () => context.close() };
}

/** Everything a browser holds against a page: console errors, uncaught exceptions, CSP violations. */
export function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
