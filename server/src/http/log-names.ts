import { accountKey } from '../security/account-key.ts';
import { createKeyedHash } from '../security/keyed-hash.ts';
import { maskAddress } from '../security/masking.ts';

/** Maps an account to its name in a log line; undefined if it is not logged. */
export type NameAccount = (account: string) => string | undefined;

const HASH_LENGTH = 16;

/** Returns the name itself or a keyed hash: readers of the log cannot identify the account, the operator can. */
export function nameAccounts(mode: 'hash' | 'name' | 'none', secrets: readonly string[]): NameAccount {
  if (mode === 'none') return () => undefined;
  if (mode === 'name') return accountKey;
  const hash = createKeyedHash(secrets, 'log');
  return (account) => hash(accountKey(account)).slice(0, HASH_LENGTH);
}

/** Maps a client's address to its form in a log line. */
export type NameAddress = (address: string) => string;

export const nameAddresses = (mode: 'full' | 'block'): NameAddress =>
  mode === 'block' ? maskAddress : (address) => address;

/** Returns every form in which the account may appear in log lines of any age. */
export function namesInLog(account: string, secrets: readonly string[]): ReadonlySet<string> {
  const hashes = createKeyedHash(secrets, 'log').all(accountKey(account));
  return new Set([accountKey(account), ...hashes.map((each) => each.slice(0, HASH_LENGTH))]);
}
