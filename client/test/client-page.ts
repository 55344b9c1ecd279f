import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTimeout } from '../../server/src/runtime/with-timeout.ts';
import { tempDir } from '../../test-support/process.ts';
import { openBrowser } from '../../web/test/browser.ts';
import { buildClient } from '../scripts/build.ts';
import { type Client, GatehouseError, type Problem } from '../src/index.ts';

/** What the page passes out of a failed call. */
interface Failed {
  readonly code: GatehouseError['code'];
  readonly status: number;
  readonly problem?: Problem;
}

interface ClientWindow {
  client: Record<string, (...given: unknown[]) => Promise<unknown>>;
}

const PAGE = '<!doctype html><title>Client</title><script type="module" src="page.js"></script>';
const SCRIPT = `import { createClient, storedSession } from './index.js';
globalThis.client = createClient({ language: () => 'en', session: storedSession(sessionStorage) });`;
/** As strict as the service's pages, to check that the library needs nothing more. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

/** Longer than any call in the page takes. */
const STEP_MS = 60_000;

/** Opens a page of the service's origin that loads the built package, and returns a client whose calls run in that page. */
export async function openClientPage(url: string) {
  const folder = tempDir('client-page');
  await buildClient(folder);
  const errors: string[] = [];
  /** Names the step that hangs: Playwright waits for these without a limit. */
  const named = <T>(step: string, work: Promise<T>) =>
    withTimeout(work, STEP_MS, () => new Error([`${step} did not end`, ...errors].join('; ')));
  const browser = await named('connecting to the browser', openBrowser());
  const context = await named('opening a context', browser.newContext());
  const page = await named('opening a page', context.newPage());
  let workers = 0;
  page.on('worker', () => {
    workers += 1;
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('crash', () => errors.push('the page crashed'));
  await context.route(`${url}/package/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const headers = { 'content-security-policy': POLICY };
    const file = pathname.slice('/package/'.length);
    if (file === 'page.html') return route.fulfill({ contentType: 'text/html', headers, body: PAGE });
    const body = file === 'page.js' ? SCRIPT : readFileSync(join(folder, file), 'utf8');
    return route.fulfill({ contentType: 'text/javascript', headers, body });
  });
  await page.goto(`${url}/package/page.html`);
  await page.waitForFunction(() => 'client' in globalThis);

  async function call(name: string, given: unknown[]): Promise<unknown> {
    const evaluated = page.evaluate(
      async ([name, given]) => {
        const { client } = globalThis as unknown as ClientWindow;
        try {
          return { answer: await client[name]?.(...given) };
        } catch (error) {
          const { code, status, problem } = error as Failed;
          return { failed: { code, status, ...(problem && { problem }) } };
        }
      },
      [name, given] as const,
    );
    const { answer, failed } = await named(`the call of ${name}`, evaluated);
    if (failed) throw new GatehouseError(failed.code, failed);
    return answer;
  }

  /** Logs in at the forum's page, and returns the ticket with which it sends the browser back. */
  async function forumTicket(): Promise<string> {
    const other = await named('opening the page of the forum', context.newPage());
    // The page at the end must not use the ticket.
    await other.route('**/assets/**', (route) => route.abort());
    await other.goto(`${url}${await call('url', ['authorize', { redirect: '/' }])}`);
    const [back] = await Promise.all([
      other.waitForResponse((response) => response.url().includes('/api/forumauth/callback')),
      other.getByRole('button', { name: 'Lantern Keeper' }).click(),
    ]);
    const { location = '' } = back.headers();
    // Chromium may never close a page that is still being redirected.
    await other.waitForURL(new URL(location, url).href);
    await named('closing the page of the forum', other.close());
    return new URLSearchParams(location.split('#')[1]).get('ticket') ?? '';
  }

  const client = new Proxy({} as Client, {
    get(_target, name) {
      if (name !== 'session') return (...given: unknown[]) => call(String(name), given);
      return page.evaluate(() => (globalThis as unknown as ClientWindow).client.session);
    },
  });
  return { client, forumTicket, errors, workers: () => workers, close: () => browser.close() };
}
