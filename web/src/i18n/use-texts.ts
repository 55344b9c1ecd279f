import type { Failure } from '../api/failure.ts';
import type { FieldError } from '../forms/use-form.ts';
import { useI18n } from './index.ts';

/** Errors, times and numbers as text for a player, in the language of the page. */
export function useTexts() {
  const { t, te, locale } = useI18n();

  function duration(seconds: number): string {
    if (seconds < 60) return t('time.seconds', { n: Math.max(1, seconds) });
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 60) return t('time.minutes', { n: minutes });
    return t('time.hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
  }

  function dateTime(time: string): string {
    const sameYear = new Date(time).getFullYear() === new Date().getFullYear();
    return new Date(time).toLocaleString(locale.value, {
      ...(!sameYear && { year: 'numeric' }),
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    });
  }

  /** A month written as `2026-07`. */
  const month = (of: string) =>
    new Date(`${of}-01T00:00`).toLocaleDateString(locale.value, { year: 'numeric', month: 'short' });

  const number = (value: number) => value.toLocaleString(locale.value);

  function errorText(reason: Failure): string {
    if (reason.kind !== 'refused') return t(`trouble.${reason.kind}`);
    const { code, reason: why, until } = reason.problem;
    return [
      t(`refusals.${code}`),
      why && t('trouble.suspended', { reason: why }),
      until && t(code === 'server_closed' ? 'time.opensAt' : 'time.until', { time: dateTime(until) }),
      // A moment already says when to come back.
      !until && reason.retryAfter !== null && t('time.retryIn', { time: duration(reason.retryAfter) }),
    ]
      .filter(Boolean)
      .join(locale.value === 'en' ? ' ' : '');
  }

  /** A field's own text where it has one, the general one otherwise. */
  function fieldError(field: string, error: FieldError | undefined): string {
    if (!error) return '';
    if ('refusal' in error) return t(`refusals.${error.refusal}`);
    if ('message' in error) return error.message;
    const own = `fields.${field}.${error.issue}`;
    return te(own) ? t(own) : t(`issues.${error.issue}`);
  }

  return { t, te, errorText, fieldError, duration, dateTime, month, number };
}
