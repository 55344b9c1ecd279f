import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Gatehouse, runCli, type SettingsTable, startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn, waitForOutboxMail } from '../../test-support/mail.ts';
import { openBrowser, type Size, sizes } from '../../web/test/browser.ts';

export const PASSWORD = 'a lantern over the gate';

interface SuiteOptions {
  readonly requireTotp?: boolean;
  readonly databaseUrl?: () => Promise<string>;
  readonly settings?: SettingsTable;
}

/** One service and one browser for the tests of a file; each operator has a browser context. */
export function consoleSuite({ requireTotp = false, databaseUrl, settings = {} }: SuiteOptions = {}) {
  let service: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    const database = databaseUrl && { database: { url: await databaseUrl() } };
    service = await startGatehouse({
      settings: { ...settings, ...database, console: { require_totp: requireTotp } },
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function operate(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCli(args, { config: service.settingsFile });
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async function openPage(size: Size = 'desktop'): Promise<Page> {
    const context = await browser.newContext({
      viewport: sizes[size],
      locale: 'en',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return page;
  }

  /** Returns the link of a new invitation. */
  async function invite(name: string, role: string): Promise<string> {
    const said = await operate('operator', 'add', name, '--role', role);
    return /http\S+#\S+/.exec(said)?.[0] ?? '';
  }

  /** Accepts an invitation in the browser. */
  async function accept(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=again]', PASSWORD);
    await page.locator('button[type=submit]').click();
  }

  async function post(path: string, body: unknown) {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  return {
    operate,
    openPage,
    /** The service's own database, for states that no operator can cause. */
    databaseUrl: () => (service.settings.database as { url: string }).url,
    url: (path: string) => `${service.url}/console${path}`,
    invite,
    accept,
    /** Opens a browser context for a new operator who has accepted the invitation. */
    async openAs(name: string, role: string, size?: Size): Promise<Page> {
      const page = await openPage(size);
      await accept(page, await invite(name, role));
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      return page;
    },
    async logIn(page: Page, name: string) {
      await page.fill('[name=name]', name);
      await page.fill('[name=password]', PASSWORD);
      await page.locator('button[type=submit]').click();
    },
    async registerPlayer(account: string) {
      const email = `${account}@example.com`;
      await post('/api/send_code', { email });
      const code = codeIn(await waitForOutboxMail(service.outbox, email));
      await post('/api/register', { account, password: 'Moonlight-over-42', email, code });
    },
  };
}
