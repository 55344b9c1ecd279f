import { Refusal } from '../refusal.ts';
import { isUsualAddress } from './addresses.ts';
import { createArgon2Passwords, isArgon2Hash } from './argon2.ts';
import { createPasswords } from './passwords.ts';

/** How players' passwords are hashed: `auth.password_key` and `auth.password_hash`. */
export interface PasswordHashSettings {
  readonly password_key: string;
  readonly password_hash?: 'md5' | 'argon2id';
}

interface PasswordOwner {
  readonly passwordHash: string;
  readonly usualAddresses: readonly string[];
}

/** Hashes that may wait: at 30 ms each and two at a time, the last one waits for about a second. */
const MAX_WAITING = 64;

/** Passwords of players. A hash is md5(password + key), or argon2id over that. Rows of both kinds are always accepted. */
export function createPlayerPasswords(
  { password_key, password_hash }: PasswordHashSettings,
  maxWaiting = MAX_WAITING,
) {
  const md5 = createPasswords(password_key);
  const argon2 = createArgon2Passwords({
    waiting: maxWaiting,
    full: () => new Refusal('unavailable', { retryAfter: 1 }),
  });
  const usesArgon2 = password_hash === 'argon2id';
  const hashOfMd5 = (hash: string) => (usesArgon2 ? argon2.hash(hash.toLowerCase()) : hash);

  return {
    hash: (password: string) => hashOfMd5(md5.hash(password)),
    /** Returns the hash to store for an md5 hash. */
    hashOfMd5,
    /** Reports whether the password is the owner's. Synchronous with md5. */
    matches(password: string, owner: PasswordOwner | undefined, address: string) {
      const stored = owner?.passwordHash;
      if (!usesArgon2 && !(stored !== undefined && isArgon2Hash(stored)))
        return md5.matches(password, stored);
      const isUsual = isUsualAddress(owner, address);
      const isRight = md5.matches(password, stored);
      // Hash for an unknown account and for an md5 row too, so that both take as long as the others.
      return argon2.matches(md5.hash(password), stored, isUsual).then((matches) => matches || isRight);
    },
    /** Returns the hash that replaces the stored one, which the password matches, or undefined if it is of the configured kind. */
    renew(password: string, stored: string) {
      if (isArgon2Hash(stored) === usesArgon2) return undefined;
      return Promise.resolve(hashOfMd5(md5.hash(password)));
    },
  };
}

export type PlayerPasswords = ReturnType<typeof createPlayerPasswords>;
