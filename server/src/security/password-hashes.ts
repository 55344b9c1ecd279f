import { hash as digest } from 'node:crypto';
import { generationalCache } from '../runtime/generational-cache.ts';
import { isUsableHash } from './passwords.ts';
import { createSealer, isSealed, type Sealer, sealContext } from './sealer.ts';

/** How the md5 hashes of players stand in the database: sealed where there is a key. Both kinds are read all the time. */
export interface PasswordHashes {
  /** Whether there is a key to seal with. */
  readonly sealing: boolean;
  /** What is written into the player's row. A value that is no hash, and so no secret, stays as it is. */
  seal(hash: string, playerId: number): string;
  /** The hash that a row holds; empty, which matches no password, where none of the keys opens it. */
  open(stored: string, playerId: number): string;
  /** False for what should be written anew: a plain hash, or one sealed with an older key. */
  isCurrent(stored: string, playerId: number): boolean;
}

interface OpenedHash {
  readonly stored: string;
  readonly hash: string;
  readonly isCurrent: boolean;
}

/** Opening takes some ten microseconds, a tenth of a login or more; whoever comes once comes again. 5 to 11 MB. */
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

/** Without a key nothing is sealed, and what was sealed cannot be read. */
const plainHashes: PasswordHashes = {
  sealing: false,
  seal: (hash) => hash,
  open: (stored) => (isSealed(stored) ? '' : stored),
  isCurrent: () => true,
};

/** What no key opens is left alone: written anew it would be lost. */
function openedBy(sealer: Sealer, stored: string, playerId: number): Omit<OpenedHash, 'stored'> {
  const found = sealer.open(stored, sealContext.player(playerId));
  return found ? { hash: unpacked(found.bytes), isCurrent: found.isCurrent } : { hash: '', isCurrent: true };
}

const LOWER = 0;
const UPPER = 1;

/**
 * Sixteen bytes, and one for how the hash is written, because game servers may compare its text: sealed, that is 63
 * characters, which the column has had room for from the first version on.
 */
function packed(hash: string): Buffer {
  return Buffer.concat([Buffer.of(hash === hash.toUpperCase() ? UPPER : LOWER), Buffer.from(hash, 'hex')]);
}

function unpacked(bytes: Buffer): string {
  const hash = bytes.toString('hex', 1);
  return bytes[0] === UPPER ? hash.toUpperCase() : hash;
}

/** For a hash that is compared and never read back. */
export const digestOfHash = (hash: string) => digest('sha256', hash);
