import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { pageErrors } from './open-page-state.ts';

/** Checks one state of a page: accessible, no errors except those of a failing state, no wider than the window. */
export async function examinePage(
  page: Page,
  { consoleErrors, failing }: { consoleErrors: readonly string[]; failing?: boolean | undefined },
) {
  // Before axe, whose script logs an error if it cannot run in a frame.
  expect(failing ? pageErrors(consoleErrors) : consoleErrors).toEqual([]);
  await expectAccessible(page);
  await expectFit(page);
}

/** Checks that nothing is wider than the window, which a phone would hide by zooming out, and no field overflows its card. */
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
