import { hash } from 'node:crypto';
import { timingSafeEqualText } from './keyed-hash.ts';

/** Hashes as the old generation did, md5(password + key), so that its accounts and tokens still work. */
export interface Passwords {
  hash(password: string): string;
  matches(password: string, stored: string | undefined): boolean;
}

/** Compared if there is no account, so that an unknown account takes as long as a wrong password. */
const DECOY = '0'.repeat(32);

export function createPasswords(key: string): Passwords {
  const digest = (password: string) => hash('md5', password + key, 'hex');
  return { hash: digest, matches: (password, stored) => sameHash(digest(password), stored) };
}

/** Reports whether a stored value is an md5 hash. Any other, such as an empty one, matches no password. */
export const isUsableHash = (stored: string) => /^[0-9a-f]{32}$/i.test(stored);

/** Reports whether a presented md5 token equals the stored one. */
export function sameHash(presented: string, stored: string | undefined): boolean {
  const usable = stored !== undefined && isUsableHash(stored);
  return timingSafeEqualText(presented, (usable ? stored : DECOY).toLowerCase()) && usable;
}
