import { hash as digest } from 'node:crypto';
import { generationalCache } from '../runtime/generational-cache.ts';
import { isUsableHash } from './passwords.ts';
import { createSealer, isSealed, type Sealer, sealContext } from './sealer.ts';

/** How players' md5 hashes are stored: sealed if there is a key. Both forms can always be read. */
export interface PasswordHashes {
  /** Whether hashes are sealed. */
  readonly sealing: boolean;
  /** Returns the value for the player's row. A value that is not a hash, and thus no secret, is returned unchanged. */
  seal(hash: string, playerId: number): string;
  /** Returns the hash in a row, or an empty string, which matches no password, if no key opens it. */
  open(stored: string, playerId: number): string;
  /** Returns false for a value to rewrite: a plain hash, or one sealed with an older key. */
  isCurrent(stored: string, playerId: number): boolean;
}

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

  return {
    sealing: true,
    seal: (hash, playerId) =>
      isUsableHash(hash) ? sealer.seal(packed(hash), sealContext.player(playerId)) : hash,
    open: (stored, playerId) => (isSealed(stored) ? opened(stored, playerId).hash : stored),
    isCurrent: (stored, playerId) =>
      isSealed(stored) ? opened(stored, playerId).isCurrent : !isUsableHash(stored),
  };
}

/** Without a key nothing is sealed, and sealed hashes cannot be read. */
const plainHashes: PasswordHashes = {
  sealing: false,
  seal: (hash) => hash,
  open: (stored) => (isSealed(stored) ? '' : stored),
  isCurrent: () => true,
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
