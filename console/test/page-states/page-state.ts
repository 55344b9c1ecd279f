import type { Page } from 'playwright-core';
import type { Replies } from '../mock-api.ts';

/** A screen in one state. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Visible once the state is reached. */
  readonly shows: string;
  readonly replies?: Replies;
  readonly act?: (page: Page) => Promise<void>;
  /** Laid out differently where there is room: looked at on a desktop too. */
  readonly wide?: true;
  /** Has no counterpart where there is room. */
  readonly phoneOnly?: true;
  /** The browser itself reports failed loads. */
  readonly failing?: true;
}
