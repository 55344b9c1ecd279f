import type { Strength } from '../i18n/messages.ts';

/** A hint while typing: whether a password is accepted depends on the service's settings. */
export function strengthOf(password: string, account: string): Strength {
  const length = [...password].length;
  const name = account.trim().toLowerCase();
  if (length < 8 || (name !== '' && password.toLowerCase().includes(name))) return 'weak';
  if (/^(.)\1*$/u.test(password) || /^(?:0?123456789?0?|qwerty|password|abc)/i.test(password)) return 'weak';
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  if (length >= 16 || (length >= 10 && kinds >= 3)) return 'strong';
  return kinds >= 2 || length >= 12 ? 'fair' : 'weak';
}
