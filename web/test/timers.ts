import type { Page } from 'playwright-core';

/** In documents opened from now on, timers of five seconds or more do not fire: nothing is refreshed, and no toast vanishes. */
export const withoutLongTimers = (page: Page) =>
  page.addInitScript(() => {
    const start = window.setTimeout.bind(window);
    const LONG_MS = 5000;
    const NEVER_MS = 2 ** 31 - 1;
    window.setTimeout = ((run: () => void, ms = 0, ...given: never[]) =>
      start(run, ms < LONG_MS ? ms : NEVER_MS, ...given)) as typeof setTimeout;
  });
