import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from './browser.ts';
import { CLIENT_ORIGIN } from './fixtures.ts';
import { startStaticServer } from './static-server.ts';

/** The built pages without a service, and one browser for the tests of a file; the API is mocked in the page. */
export function staticSuite() {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startStaticServer>>;

  beforeAll(async () => {
    server = await startStaticServer(CLIENT_ORIGIN);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  return {
    get browser() {
      return browser;
    },
    get url() {
      return server.url;
    },
  };
}
