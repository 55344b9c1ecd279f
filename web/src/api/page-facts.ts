import type { ListedNews, PublicConfig } from '@gatehouse/contract/player';

interface PageFacts {
  readonly config: PublicConfig;
  /** The language that the service chose for the page. */
  readonly language: string;
  /** The first of the news in that language, for the login page and the home page. */
  readonly news: readonly ListedNews[];
  /** Size of the operator's logo. */
  readonly logo?: { readonly width: number; readonly height: number };
  /** Length limits of a new password. */
  readonly password: { readonly min: number; readonly max: number };
  /** Wrong passwords allowed for one account before the service makes the caller wait. */
  readonly login_tries: number;
  /** Days in which a login cancels a deletion. */
  readonly deletion_days: number;
}

/** Data that the service embedded in the page; null if something else served the page. */
export const pageFacts: PageFacts | null = read();

function read(): PageFacts | null {
  const text = document.querySelector<HTMLMetaElement>('meta[name=gatehouse]')?.content;
  return text ? JSON.parse(text) : null;
}
