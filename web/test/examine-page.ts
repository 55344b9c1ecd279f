import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pageErrors } from './open-page-state.ts';

/** A page in one state: accessible, without errors but those of a state that fails, and no wider than its window. */
export async function examinePage(
  page: Page,
  { consoleErrors, failing }: { consoleErrors: readonly string[]; failing?: boolean | undefined },
) {
  // Selectors and markup of everything that passes would take four fifths of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(failing ? pageErrors(consoleErrors) : consoleErrors).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
}
