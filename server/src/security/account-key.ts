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
