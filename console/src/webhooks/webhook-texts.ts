import { useTexts } from '../i18n/use-texts.ts';

/** Returns the host and the path of a URL. The query often holds a token and is left out. */
export function shortUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  return `${host}${path.length > 40 ? `${path.slice(0, 40)}…` : path}${search ? '?…' : ''}`;
}

interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
}

/** Returns a function that says how an attempt ended, in the operator's language as far as the text is known. */
export function useOutcome(): (outcome: Outcome) => string {
  const { t, whyText } = useTexts();
  return ({ status, error }) => {
    if (error === null) return String(status ?? '–');
    return error === `answered ${status}` ? t('webhooks.answered', { status }) : whyText(error);
  };
}
