// @vitest-environment node
import AxeBuilder from '@axe-core/playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStatePage, pageErrors, type StatePage } from './open-page-state.ts';
import { type PageState, pageStates } from './page-states/index.ts';
import { staticSuite } from './static-suite.ts';

const suite = staticSuite();
let phone: StatePage;
let desktop: StatePage;

beforeAll(async () => {
  phone = await openStatePage({ ...suite, size: 'phone', language: 'zh-CN' });
  desktop = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
});

async function examine(state: PageState, { page, show }: StatePage) {
  const consoleErrors = await show(state);
  // Selectors and markup of everything that passes would take four fifths of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(state.failing ? pageErrors(consoleErrors) : consoleErrors).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
}

describe('every state of every page', () => {
  test.each(pageStates)('when a phone shows $name, then it is accessible, quiet and fits', (state) =>
    examine(state, phone),
  );

  test.each(pageStates.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, quiet and fits',
    (state) => examine(state, desktop),
  );
});
