import { facts } from '../api/facts.ts';
import type { Failure } from '../api/failure.ts';
import { useI18n } from './index.ts';
import { stampIn } from './platform-time.ts';

/** Errors of a connection, as Node names them. */
const LOST = /\b(?:ECONNRESET|EPIPE|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/;

/** Formats errors, times and numbers for an operator, in the language of the page. */
export function useTexts() {
  const { t, te, locale } = useI18n();

  /** Returns the service's own explanation, which is in the requested language. */
  function errorText(failure: Failure): string {
    if (failure.kind !== 'refused') return t(`trouble.${failure.kind}`);
    const { detail, errors = [] } = failure.problem;
    return [detail, ...errors.map(({ field, message }) => `${field}: ${message}`)].join(' ');
  }

  const number = (value: number) => value.toLocaleString(locale.value);
  const time = (at: string, seconds = false) => stampIn(facts.timeZone, at, { seconds });

  /** Formats a share as `64 %`; empty if the whole is 0. */
  const share = (part: number, whole: number) => (whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`);

  /** Returns the text of a code, or the code itself if the service is newer than this page. */
  const named = (family: string, code: string) => (te(`${family}.${code}`) ? t(`${family}.${code}`) : code);

  /** Translates what the service wrote about a withdrawal. The words of a game server are returned unchanged. */
  function whyText(why: string): string {
    const [, rest] = /^not sent: (.+)$/.exec(why) ?? [];
    if (rest) return t('whys.not sent', { why: whyText(rest) });
    const [code] = LOST.exec(why) ?? [];
    if (code) return `${t(`whys.${code}`)} · ${code}`;
    const [, seconds] = /^no answer within ([\d.]+) s$/.exec(why) ?? [];
    return seconds ? t('whys.no answer within', { seconds }) : named('whys', why);
  }

  /** Returns an operator's reason as written; the service's own one is translated. */
  const reasonText = (action: string, reason: string) =>
    action === 'withdraw.receipt' ? whyText(reason) : reason;

  return { t, te, locale, errorText, number, time, share, named, whyText, reasonText };
}
