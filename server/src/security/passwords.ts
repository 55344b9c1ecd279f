import { hash } from 'node:crypto';
import { timingSafeEqualText } from './timing-safe-equal.ts';

/** The rule of the old generation, kept so that its accounts and tokens go on working: md5(password + key). */
export interface Passwords {
  hash(password: string): string;
  matches(password: string, stored: string | undefined): boolean;
}

/** Compared against when there is no account, so that an unknown account costs what a wrong password does. */
const DECOY = '0'.repeat(32);

export function createPasswords(key: string): Passwords {
  const digest = (password: string) => hash('md5', password + key, 'hex');
  return {
    hash: digest,
    matches: (password, stored) => sameHash(digest(password), stored),
  };
}

/** A stored value that is no md5 hash, such as an empty one, matches no password. */
export const isUsableHash = (stored: string) => /^[0-9a-f]{32}$/i.test(stored);

/** Whether a presented md5 token is the stored one. */
export function sameHash(presented: string, stored: string | undefined): boolean {
  const usable = stored !== undefined && isUsableHash(stored);
  return timingSafeEqualText(presented, (usable ? stored : DECOY).toLowerCase()) && usable;
}
