/** What the service writes into the document, because pages need it before anybody is logged in. */
interface Facts {
  readonly game: string;
  /** Where the platform's days turn; times are shown in it. */
  readonly timeZone: string;
  readonly currency: string;
  /** Whether operators must have two-factor login before anything else. */
  readonly requireTotp: boolean;
  /** Of the service; empty where the pages are served by vite. */
  readonly version: string;
}

export const facts: Facts = {
  game: 'Gatehouse',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  currency: '',
  requireTotp: false,
  version: '',
  ...written(),
};

function written(): Partial<Facts> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=gatehouse]');
  return meta ? JSON.parse(meta.content) : {};
}
