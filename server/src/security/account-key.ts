import { createKeyedHash, type KeyedHash } from './keyed-hash.ts';
/**
 * Returns the one spelling that identifies an account: ASCII letters in lower case, outer spaces cut, all else byte for byte.
 * There is no Unicode folding, because JavaScript, SQLite and MariaDB do not agree on it.
 */
export function accountKey(account: string): string {
  let start = 0;
  let end = account.length;
  while (start < end && account[start] === ' ') start++;
  while (end > start && account[end - 1] === ' ') end--;
  return account.slice(start, end).replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** Uses the one secret that is never replaced, because the names stay taken forever. */
export const erasedNameHash = (auth: { readonly password_key: string }): KeyedHash =>
  createKeyedHash([auth.password_key], 'erased name');
