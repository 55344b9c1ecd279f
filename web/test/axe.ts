import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The same axe that the builder uses. */
const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string;
};

/**
 * Loads axe once for all pages of the context: sending half a megabyte each time costs more than the check. The blank page
 * between two others is never checked.
 */
export const preloadAxe = (context: BrowserContext) =>
  context.addInitScript({ content: `if (location.protocol !== 'about:') {\n${source}\n}` });

/** Checks the page, or a part of it, with axe. */
export async function expectAccessible(page: Page, within?: string) {
  const isLoaded = await page.evaluate("'axe' in window");
  // Reporting passes too would take four fifths of the time.
  const axe = new AxeBuilder({ page, ...(isLoaded === true && { axeSource: 'void 0;' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await (within ? axe.include(within) : axe).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
