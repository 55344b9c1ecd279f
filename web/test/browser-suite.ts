import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openBrowser, type Size } from './browser.ts';
import { type BrowserSession, openBrowserSession } from './browser-session.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * One test server and one browser for the tests of a file. Sessions are reset and checked after each test, and reused: a new one
 * costs a process and two seconds.
 */
export function browserSuite(options?: TestServerOptions) {
  let server: TestServer;
  let browser: Browser;
  const used = new Map<BrowserSession, string>();
  const unused = new Map<string, BrowserSession>();

  beforeAll(async () => {
    server = await startTestServer(options);
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const [session, kind] of used) {
      used.delete(session);
      await session.reset();
      unused.set(kind, session);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  return {
    get server() {
      return server;
    },
    async openSession(size: Size = 'phone', locale = 'zh-CN'): Promise<BrowserSession> {
      const kind = `${size} ${locale}`;
      const session = unused.get(kind) ?? (await openBrowserSession(browser, server.url, size, locale));
      unused.delete(kind);
      used.set(session, kind);
      return session;
    },
  };
}
