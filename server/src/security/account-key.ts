/**
 * One identity per spelling: ASCII letters lower-cased, outer spaces cut, everything else byte for byte.
 * Unicode folding is left out on purpose: JavaScript, SQLite and MariaDB do not agree on it.
 */
export function accountKey(account: string): string {
  let start = 0;
  let end = account.length;
  while (start < end && account[start] === ' ') start++;
  while (end > start && account[end - 1] === ' ') end--;
  return account.slice(start, end).replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
