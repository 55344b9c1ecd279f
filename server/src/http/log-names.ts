import { accountKey } from '../security/account-key.ts';
import { createKeyedHash } from '../security/keyed-hash.ts';
import { maskAddress } from '../security/masking.ts';

/** How a line names the account of a refused request; undefined where it names none. */
export type NameAccount = (account: string) => string | undefined;

const HASH_LENGTH = 16;

/** The name itself, or a keyed hash of it: whoever reads the log alone cannot tell who it is, the operator can. */
export function nameAccounts(mode: 'hash' | 'name' | 'none', secrets: readonly string[]): NameAccount {
  if (mode === 'none') return () => undefined;
  if (mode === 'name') return accountKey;
  const hash = createKeyedHash(secrets, 'log');
  return (account) => hash(accountKey(account)).slice(0, HASH_LENGTH);
}

/** How a line names the address of a request. */
export type NameAddress = (address: string) => string;

export const nameAddresses = (mode: 'full' | 'block'): NameAddress =>
  mode === 'block' ? maskAddress : (address) => address;

/** Everything an account may be called in lines of any age. */
export function namesInLog(account: string, secrets: readonly string[]): ReadonlySet<string> {
  const hashes = createKeyedHash(secrets, 'log').all(accountKey(account));
  return new Set([accountKey(account), ...hashes.map((each) => each.slice(0, HASH_LENGTH))]);
}
