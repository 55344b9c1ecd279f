import type { Failure } from '../api/failure.ts';
import { passwordRule } from '../forms/new-password.ts';
import type { FieldError } from '../forms/use-form.ts';
import { useI18n } from './index.ts';

/** Formats errors, times and numbers for a player, in the language of the page. */
export function useTexts() {
  const { t, te, locale } = useI18n();

  function duration(seconds: number): string {
    if (seconds < 60) return t('time.seconds', { n: Math.max(1, seconds) });
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 60) return t('time.minutes', { n: minutes });
    return t('time.hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
  }

  // Formatted by hand instead of by `toLocaleString`, which loads its tables first and blocks a phone for 100 ms.
  const parts = (date: Date) => ({
    year: date.getFullYear(),
    month: t('time.months').split(' ')[date.getMonth()],
    day: date.getDate(),
    clock: [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, '0')).join(':'),
  });

  function dateTime(time: string): string {
    const date = new Date(time);
    const sameYear = date.getFullYear() === new Date().getFullYear();
    return t(sameYear ? 'time.thisYear' : 'time.otherYear', parts(date));
  }

  function day(time: string): string {
    const date = new Date(time);
    const sameYear = date.getFullYear() === new Date().getFullYear();
    return t(sameYear ? 'time.day' : 'time.dayOfYear', parts(date));
  }

  /** Formats a month given as `2026-07`. */
  const month = (of: string) => t('time.month', parts(new Date(`${of}-01T00:00`)));

  /** Both languages group thousands alike. */
  function number(value: number): string {
    const [whole = '', ...decimals] = String(value).split('.');
    return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.');
  }

  function errorText(reason: Failure): string {
    if (reason.kind !== 'refused') return t(`trouble.${reason.kind}`);
    const { code, reason: why, until } = reason.problem;
    return [
      t(`refusals.${code}`),
      why && t('trouble.suspended', { reason: why }),
      until && t(code === 'server_closed' ? 'time.opensAt' : 'time.until', { time: dateTime(until) }),
      // `until` already says when to come back.
      !until && reason.retryAfter !== null && t('time.retryIn', { time: duration(reason.retryAfter) }),
    ]
      .filter(Boolean)
      .join(locale.value === 'en' ? ' ' : '');
  }

  /** Returns the field's own text if it has one, otherwise the general one. */
  function fieldError(field: string, error: FieldError | undefined): string {
    if (!error) return '';
    if ('refusal' in error) return t(`refusals.${error.refusal}`);
    if ('message' in error) return error.message;
    const own = `fields.${field}.${error.issue}`;
    return te(own) ? t(own, passwordRule) : t(`issues.${error.issue}`);
  }

  return { t, te, errorText, fieldError, duration, dateTime, day, month, number };
}
