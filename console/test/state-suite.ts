import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { openBrowser } from '../../web/test/browser.ts';
import { type MockApi, startMockApi } from './mock-api.ts';

/** The console's pages from a real service with a mocked API, and one browser, for the tests of a file. */
export function stateSuite() {
  let service: Gatehouse;
  let api: MockApi;
  let browser: Browser;

  beforeAll(async () => {
    service = await startGatehouse({ settings: { console: { require_totp: false } } });
    api = await startMockApi(service.url);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
    await service?.stop();
  });

  return {
    get api() {
      return api;
    },
    get browser() {
      return browser;
    },
  };
}
