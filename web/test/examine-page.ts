import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { pageErrors } from './open-page-state.ts';

/** A page in one state: accessible, without errors but those of a state that fails, and no wider than its window. */
export async function examinePage(
  page: Page,
  { consoleErrors, failing }: { consoleErrors: readonly string[]; failing?: boolean | undefined },
) {
  // Before axe: that its script may not run in a frame is written to the console too.
  expect(failing ? pageErrors(consoleErrors) : consoleErrors).toEqual([]);
  await expectAccessible(page);
  await expectFit(page);
}

/** Nothing is wider than the window, which a phone would hide by zooming out, and no field reaches out of its card. */
export async function expectFit(page: Page) {
  const { scrollWidth, outside } = await page.evaluate(() => {
    const rightOf = (element: Element) => element.getBoundingClientRect().right;
    const fields = [...document.querySelectorAll('.panel :is(input, select, button)')].filter(
      (field) => !field.closest('dialog'),
    );
    const reachesOut = (field: Element) => rightOf(field) > rightOf(field.closest('.panel') ?? field) + 1;
    return {
      scrollWidth: document.documentElement.scrollWidth,
      outside: fields.filter(reachesOut).map((field) => field.outerHTML),
    };
  });
  expect(outside).toEqual([]);
  expect(scrollWidth).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
