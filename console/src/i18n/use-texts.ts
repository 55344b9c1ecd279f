import { facts } from '../api/facts.ts';
import type { Failure } from '../api/failure.ts';
import { useI18n } from './index.ts';
import { stampIn } from './platform-time.ts';

/** Errors, times and numbers as text for an operator, in the language of the page. */
export function useTexts() {
  const { t, te, locale } = useI18n();

  /** The service says in words why it refused, in the language it was asked in. */
  function errorText(failure: Failure): string {
    if (failure.kind !== 'refused') return t(`trouble.${failure.kind}`);
    const { detail, errors = [] } = failure.problem;
    return [detail, ...errors.map(({ field, message }) => `${field}: ${message}`)].join(' ');
  }

  const number = (value: number) => value.toLocaleString(locale.value);
  const time = (at: string, seconds = false) => stampIn(facts.timeZone, at, { seconds });

  /** `64 %` of something, or nothing where there is nothing to compare with. */
  const share = (part: number, whole: number) => (whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`);

  /** A text of a closed set of codes, or the code itself where the service knows one that this page does not. */
  const named = (family: string, code: string) => (te(`${family}.${code}`) ? t(`${family}.${code}`) : code);

  return { t, te, locale, errorText, number, time, share, named };
}
