import { beforeAll, describe, test } from 'vitest';
import { sizes } from './browser.ts';
import { examinePage, expectFit } from './examine-page.ts';
import { openStatePage, type StatePage } from './open-page-state.ts';
import { type PageState, pageStates } from './page-states/index.ts';
import { staticSuite } from './static-suite.ts';

const suite = staticSuite();
let phone: StatePage;
let desktop: StatePage;
let zoomed: StatePage;

beforeAll(async () => {
  phone = await openStatePage({ ...suite, size: 'phone', language: 'zh-CN' });
  desktop = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  zoomed = await openStatePage({ ...suite, size: 'zoomed', language: 'en' });
});

async function examine(state: PageState, { page, show }: StatePage) {
  await examinePage(page, { consoleErrors: await show(state), failing: state.failing });
}

/** Checks the smallest phones and a desktop at 400 %. */
async function examineSmall({ page }: StatePage) {
  await page.setViewportSize(sizes.small);
  try {
    await expectFit(page);
  } finally {
    await page.setViewportSize(sizes.phone);
  }
}

describe('every state of every page', () => {
  test.each(pageStates)(
    'when a phone shows $name, then it is accessible, logs no errors and fits',
    async (state) => {
      await examine(state, phone);
      await examineSmall(phone);
    },
  );

  test.each(pageStates.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, logs no errors and fits',
    (state) => examine(state, desktop),
  );

  test.each(pageStates)(
    'when a desktop at double size shows $name, then it is accessible, logs no errors and fits',
    (state) => examine(state, zoomed),
  );
});
