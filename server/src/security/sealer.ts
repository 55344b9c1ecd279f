import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 's1:';

export interface Opened {
  readonly bytes: Buffer;
  /** Whether the current key sealed it. */
  readonly isCurrent: boolean;
}

/** Encrypts values that must be readable by the service but not in a stolen database. */
export interface Sealer {
  /** `context` names the value's row: copied into another row, the value cannot be opened. */
  seal(value: string | Buffer, context: string): string;
  /** Returns undefined if no key opens it. */
  open(sealed: string, context: string): Opened | undefined;
  /** Reseals under the first key. Returns the value unchanged if it is already current or no key opens it. */
  renew(sealed: string, context: string): string;
}

/** Names the row that a value belongs to. */
export const sealContext = {
  player: (id: number) => `player ${id}`,
  playerArgon2: (id: number) => `player ${id} argon2`,
  operator: (id: number) => `operator ${id}`,
  zoneKey: (keyId: string) => `zone_key ${keyId}`,
  webhook: (id: number) => `webhook ${id}`,
  twoFactor: ({ kind, id }: { readonly kind: string; readonly id: number }) => `two_factor ${kind} ${id}`,
};

export const isSealed = (stored: string) => stored.startsWith(PREFIX);

/** The first key seals and all keys open, so that keys can be rotated. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map((secret) =>
    createSecretKey(createHmac('sha256', secret).update('gatehouse seal').digest()),
  );
  const [first] = keys;
  if (!first) throw new Error('a sealer needs a key');

  const sealer: Sealer = {
    seal(value, context) {
      const iv = newIv();
      const cipher = createCipheriv(CIPHER, first, iv).setAAD(Buffer.from(context));
      const bytes = cipher.update(typeof value === 'string' ? Buffer.from(value) : value);
      cipher.final(); // gives no bytes in this mode
      return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64');
    },
    open(sealed, context) {
      if (!isSealed(sealed)) return undefined;
      const sealedBytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
      for (const key of keys) {
        const bytes = decrypt(key, sealedBytes, context);
        if (bytes !== undefined) return { bytes, isCurrent: key === first };
      }
      return undefined;
    },
    renew(sealed, context) {
      const opened = sealer.open(sealed, context);
      return opened && !opened.isCurrent ? sealer.seal(opened.bytes, context) : sealed;
    },
  };
  return sealer;
}

const ivs = Buffer.alloc(1024 * IV_BYTES);
let nextIv = ivs.length;

/** Draws random bytes in batches: drawing twelve each time would cost as much as the encryption. */
function newIv(): Buffer {
  if (nextIv === ivs.length) {
    randomFillSync(ivs);
    nextIv = 0;
  }
  nextIv += IV_BYTES;
  return Buffer.from(ivs.subarray(nextIv - IV_BYTES, nextIv));
}

function decrypt(key: KeyObject, bytes: Buffer, context: string): Buffer | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    decipher.final();
    return opened;
  } catch {
    return undefined;
  }
}

/** Texts that are stored sealed if there is a key, and plain otherwise. Both forms can always be read. */
export interface SealedTexts {
  seal(text: string, context: string): string;
  /** Returns undefined if no key opens it. */
  open(stored: string, context: string): string | undefined;
}

export function createSealedTexts(keys: readonly string[] = []): SealedTexts {
  const sealer = keys.length === 0 ? undefined : createSealer(keys);
  return {
    seal: (text, context) => sealer?.seal(text, context) ?? text,
    open: (stored, context) => (isSealed(stored) ? sealer?.open(stored, context)?.bytes.toString() : stored),
  };
}
