import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchBrowser, type Size } from './browser.ts';
import { type BrowserSession, openBrowserSession } from './browser-session.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** One test server and one browser for the tests of a file; sessions are closed, and checked, after each test. */
export function browserSuite(options?: TestServerOptions) {
  let server: TestServer;
  let browser: Browser;
  const sessions: BrowserSession[] = [];

  beforeAll(async () => {
    server = await startTestServer(options);
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  return {
    get server() {
      return server;
    },
    async openSession(size?: Size, locale?: string): Promise<BrowserSession> {
      const session = await openBrowserSession(browser, server.url, size, locale);
      sessions.push(session);
      return session;
    },
  };
}
