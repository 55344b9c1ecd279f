import type { Page } from 'playwright-core';
import type { Replies } from '../mock-api.ts';

/** A screen in one state. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Selector that is visible once the state is reached. */
  readonly shows: string;
  readonly replies?: Replies;
  readonly act?: (page: Page) => Promise<void>;
  /** Tested on a desktop too, because the layout differs there. */
  readonly wide?: true;
  /** Has no counterpart on a desktop. */
  readonly phoneOnly?: true;
  /** The browser logs failed loads. */
  readonly failing?: true;
}
