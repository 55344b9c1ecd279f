import type { PublicConfig } from '@gatehouse/contract/player';

interface PageFacts {
  readonly config: PublicConfig;
  /** How long a new password may be. */
  readonly password: { readonly min: number; readonly max: number };
  /** How many wrong passwords for one account, before the service has its caller wait. */
  readonly login_tries: number;
}

/** What the service wrote into the page it served; null where something else served it. */
export const pageFacts: PageFacts | null = read();

function read(): PageFacts | null {
  const text = document.querySelector<HTMLMetaElement>('meta[name=gatehouse]')?.content;
  return text ? JSON.parse(text) : null;
}
