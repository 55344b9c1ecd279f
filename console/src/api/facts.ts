/** Data embedded in the document, because pages need it before login. */
interface Facts {
  readonly game: string;
  /** The platform's time zone, in which times are shown. */
  readonly timeZone: string;
  readonly currency: string;
  /** Whether operators must set up two-factor login first. */
  readonly requireTotp: boolean;
  /** Version of the service; empty if vite serves the pages. */
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
