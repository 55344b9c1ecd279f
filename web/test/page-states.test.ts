// @vitest-environment node
import AxeBuilder from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import type { Size } from './browser.ts';
import { openPageState, pageErrors } from './open-page-state.ts';
import { type PageState, pageStates } from './page-states/index.ts';
import { staticSuite } from './static-suite.ts';

const suite = staticSuite();

async function examine(state: PageState, size: Size, language: 'zh-CN' | 'en') {
  const { page, consoleErrors, close } = await openPageState(state, { ...suite, size, language });
  // Selectors and markup of everything that passes would take four fifths of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(state.failing ? pageErrors(consoleErrors) : consoleErrors).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
  await close();
}

describe('every state of every page', () => {
  test.each(pageStates)('when a phone shows $name, then it is accessible, quiet and fits', (state) =>
    examine(state, 'phone', 'zh-CN'),
  );

  test.each(pageStates.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, quiet and fits',
    (state) => examine(state, 'desktop', 'en'),
  );
});
