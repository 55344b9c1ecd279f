import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The very axe that the builder uses. */
const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string;
};

/**
 * Sends axe to the browser once, for all pages of the context: half a megabyte each time costs more than to examine a page. Nobody
 * examines the empty page between two others.
 */
export const preloadAxe = (context: BrowserContext) =>
  context.addInitScript({ content: `if (location.protocol !== 'about:') {\n${source}\n}` });

/** What is shown, on the page or in a part of it, can be used by all, as far as axe can tell. */
export async function expectAccessible(page: Page, within?: string) {
  const isLoaded = await page.evaluate("'axe' in window");
  // Selectors and markup of everything that passes would take four fifths of the time.
  const axe = new AxeBuilder({ page, ...(isLoaded === true && { axeSource: 'void 0;' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await (within ? axe.include(within) : axe).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
