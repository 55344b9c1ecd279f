import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 's1:';

/** Encrypts what must be read back but must not be readable in a stolen database. */
export interface Sealer {
  /** `context` names the row it belongs to: moved into another row it cannot be opened. */
  seal(text: string, context: string): string;
  /** Undefined for what none of the keys opens. */
  open(sealed: string, context: string): string | undefined;
  /** The same under the first key; what is under it already, or opens under none, as it is. */
  renew(sealed: string, context: string): string;
}

/** The first key seals, all of them open, so that keys can be changed. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update('gatehouse seal').digest());
  const [first] = keys;
  if (!first) throw new Error('a sealer needs a key');

  function open(sealed: string, context: string, under = keys): string | undefined {
    if (!sealed.startsWith(PREFIX)) return undefined;
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
    for (const key of under) {
      const text = decrypt(key, bytes, context);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  const sealer: Sealer = {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, first, iv).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64');
    },
    open: (sealed, context) => open(sealed, context),
    renew(sealed, context) {
      const text = open(sealed, context, [first]) === undefined ? open(sealed, context) : undefined;
      return text === undefined ? sealed : sealer.seal(text, context);
    },
  };
  return sealer;
}

function decrypt(key: Buffer, bytes: Buffer, context: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
