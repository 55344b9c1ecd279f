import type { Page } from 'playwright-core';
import type { Answers } from '../mock-api.ts';

/** One state of one page: what the API answers, which page is open, and what the player does there. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  readonly signedIn?: true;
  readonly answers?: Answers;
  readonly act?: (page: Page) => Promise<unknown>;
  /** The selector that is visible once the state is reached. */
  readonly shows: string;
  /** Looks different enough on a large screen to be tested there too. */
  readonly wide?: true;
  /** A request fails on purpose; the browser itself writes that to the console. */
  readonly failing?: true;
}

/** What a proxy answers in place of a service that does not run. */
export const badGateway = {
  status: 502,
  body: '<html>bad gateway</html>',
  headers: { 'content-type': 'text/html' },
};

export const submit = (page: Page) => page.locator('form button[type=submit]').click();
