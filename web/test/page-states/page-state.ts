import type { Page } from 'playwright-core';
import type { Answers } from '../mock-api.ts';

/** One state of one page: the API's answers, the open page and the player's actions. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  readonly signedIn?: true;
  readonly answers?: Answers;
  readonly act?: (page: Page) => Promise<unknown>;
  /** Selector that is visible once the state is reached. */
  readonly shows: string;
  /** Tested on a large screen too, because it looks different there. */
  readonly wide?: true;
  /** A request fails on purpose, which the browser logs to the console. */
  readonly failing?: true;
}

/** A proxy's answer while the service is down. */
export const badGateway = {
  status: 502,
  body: '<html>bad gateway</html>',
  headers: { 'content-type': 'text/html' },
};

export const submit = (page: Page) => page.locator('form button[type=submit]').click();
