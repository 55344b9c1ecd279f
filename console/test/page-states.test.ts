// @vitest-environment node
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { launchBrowser } from '../../web/test/browser.ts';
import { examinePage } from '../../web/test/examine-page.ts';
import { type PageState, pageStates } from './page-states/index.ts';
import { openStatePage, type StatePage } from './state-page.ts';

let service: Gatehouse;
let browser: Browser;
let phone: StatePage;
let desktop: StatePage;

beforeAll(async () => {
  service = await startGatehouse({ settings: { console: { require_totp: false } } });
  browser = await launchBrowser();
  phone = await openStatePage({ browser, url: service.url, size: 'phone', language: 'zh-CN' });
  desktop = await openStatePage({ browser, url: service.url, size: 'desktop', language: 'en' });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function examine(state: PageState, { page, show }: StatePage) {
  await examinePage(page, { consoleErrors: await show(state), failing: state.failing });
}

describe('every screen and state', () => {
  test.each(pageStates)('when a phone shows $name, then it is accessible, quiet and fits', (state) =>
    examine(state, phone),
  );

  test.each(pageStates.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, quiet and fits',
    (state) => examine(state, desktop),
  );
});
