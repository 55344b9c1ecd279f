import { hash, timingSafeEqual } from 'node:crypto';

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

/** Constant time, whatever the caller sent. */
export function sameHash(presented: string, stored: string | undefined): boolean {
  const ours = Buffer.from((stored ?? DECOY).toLowerCase());
  const theirs = Buffer.from(presented);
  const same = timingSafeEqual(ours, theirs.length === ours.length ? theirs : Buffer.alloc(ours.length));
  return same && theirs.length === ours.length && stored !== undefined && stored.length === DECOY.length;
}
