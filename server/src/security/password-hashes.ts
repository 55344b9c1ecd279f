import { hash as digest } from 'node:crypto';
import { generationalCache } from '../runtime/generational-cache.ts';
import { isArgon2Hash } from './argon2.ts';
import { isUsableHash } from './passwords.ts';
import { createSealer, isSealed, type Sealer, sealContext } from './sealer.ts';

/** The columns of a player's password. The md5 hash wins if a row has both, because only other programs write that. */
export interface StoredPassword {
  readonly id: number;
  readonly password_hash: string;
  readonly password_argon2: string | null;
}

/** How players' hashes are stored: sealed if there is a key. Both forms can always be read. */
export interface PasswordHashes {
  /** Whether hashes are sealed. */
  readonly sealing: boolean;
  /** Returns the value for an md5 hash. A value that is not a hash, and thus no secret, is returned unchanged. */
  seal(hash: string, playerId: number): string;
  /** Returns the md5 hash in a row, or an empty string, which matches no password, if no key opens it. */
  open(stored: string, playerId: number): string;
  /** Returns false for an md5 hash to rewrite: a plain one, or one sealed with an older key. */
  isCurrent(stored: string, playerId: number): boolean;
  /** Returns the md5 or argon2id hash in a row, or an empty string. */
  openRow(row: StoredPassword): string;
  /** Like `isCurrent`, for either kind. */
  isRowCurrent(row: StoredPassword): boolean;
  /** Returns the columns for an md5 or argon2id hash. */
  columnsOf(hash: string, playerId: number): PasswordColumns;
}

export interface PasswordColumns {
  readonly password_hash: string;
  readonly password_argon2: string | null;
  /** Cleared with argon2id: a fast digest of the md5 hash could be guessed instead of the argon2id hash. */
  readonly imported_hash?: null;
}

/** Returns the value in the column that is used. */
export const storedIn = ({ password_hash, password_argon2 }: StoredPassword) =>
  password_hash || (password_argon2 ?? '');

const hasArgon2 = (row: StoredPassword) => row.password_hash === '' && row.password_argon2 !== null;

const argon2Columns = (stored: string): PasswordColumns => ({
  password_hash: '',
  password_argon2: stored,
  imported_hash: null,
});

interface OpenedHash {
  readonly stored: string;
  readonly hash: string;
  readonly isCurrent: boolean;
}

/** Size of the cache, 5 to 11 MB. Opening takes about ten microseconds, a tenth of a login or more, and players come back. */
const KEPT_OPEN = 25_000;

export function createPasswordHashes(keys: readonly string[] = []): PasswordHashes {
  if (keys.length === 0) return plainHashes;
  const sealer = createSealer(keys);
  const open = generationalCache<number, OpenedHash>(KEPT_OPEN);

  function opened(stored: string, playerId: number): OpenedHash {
    const known = open.get(playerId);
    if (known?.stored === stored) return known;
    const fresh = { stored, ...openedBy(sealer, stored, playerId) };
    open.set(playerId, fresh);
    return fresh;
  }

  const openArgon2 = (stored: string, playerId: number) =>
    sealer.open(stored, sealContext.playerArgon2(playerId));

  const hashes: PasswordHashes = {
    sealing: true,
    seal: (hash, playerId) =>
      isUsableHash(hash) ? sealer.seal(packed(hash), sealContext.player(playerId)) : hash,
    open: (stored, playerId) => (isSealed(stored) ? opened(stored, playerId).hash : stored),
    isCurrent: (stored, playerId) =>
      isSealed(stored) ? opened(stored, playerId).isCurrent : !isUsableHash(stored),
    openRow(row) {
      if (!hasArgon2(row)) return hashes.open(row.password_hash, row.id);
      const stored = storedIn(row);
      return isSealed(stored) ? (openArgon2(stored, row.id)?.bytes.toString() ?? '') : stored;
    },
    isRowCurrent(row) {
      if (!hasArgon2(row)) return hashes.isCurrent(row.password_hash, row.id);
      const stored = storedIn(row);
      return isSealed(stored) && (openArgon2(stored, row.id)?.isCurrent ?? true);
    },
    columnsOf: (hash, playerId) =>
      isArgon2Hash(hash)
        ? argon2Columns(sealer.seal(hash, sealContext.playerArgon2(playerId)))
        : { password_hash: hashes.seal(hash, playerId), password_argon2: null },
  };
  return hashes;
}

/** Without a key nothing is sealed, and sealed hashes cannot be read. */
const plainHashes: PasswordHashes = {
  sealing: false,
  seal: (hash) => hash,
  open: (stored) => (isSealed(stored) ? '' : stored),
  isCurrent: () => true,
  openRow: (row) => plainHashes.open(storedIn(row), row.id),
  isRowCurrent: () => true,
  columnsOf: (hash) =>
    isArgon2Hash(hash) ? argon2Columns(hash) : { password_hash: hash, password_argon2: null },
};

/** Marks a value that no key opens as current: rewriting it would lose it. */
function openedBy(sealer: Sealer, stored: string, playerId: number): Omit<OpenedHash, 'stored'> {
  const found = sealer.open(stored, sealContext.player(playerId));
  return found ? { hash: unpacked(found.bytes), isCurrent: found.isCurrent } : { hash: '', isCurrent: true };
}

const LOWER = 0;
const UPPER = 1;

/**
 * Packs a hash into 16 bytes and one for its letter case, because game servers may compare its text. Sealed, that is 63
 * characters, which fit the column since the first version.
 */
function packed(hash: string): Buffer {
  return Buffer.concat([Buffer.of(hash === hash.toUpperCase() ? UPPER : LOWER), Buffer.from(hash, 'hex')]);
}

function unpacked(bytes: Buffer): string {
  const hash = bytes.toString('hex', 1);
  return bytes[0] === UPPER ? hash.toUpperCase() : hash;
}

/** Returns a digest of a hash that is compared and never read back. */
export const digestOfHash = (hash: string) => digest('sha256', hash);
