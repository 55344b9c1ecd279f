import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const USUAL_TEXT_BYTES = 4096;

/**
 * Returns the HMAC-SHA-256 (RFC 2104) of a text in base64url. Every login signs with it; creating and collecting an `Hmac`
 * object of node:crypto each time takes an eighth of a login.
 */
export function hmacSha256(secret: string): (text: string) => string {
  const key = blockOf(secret);
  const outer = Buffer.concat([padded(key, OUTER_PAD), Buffer.alloc(DIGEST_BYTES)]);
  const innerPad = padded(key, INNER_PAD);
  let inner = Buffer.concat([innerPad, Buffer.alloc(USUAL_TEXT_BYTES)]);

  return (text) => {
    const length = BLOCK_BYTES + Buffer.byteLength(text);
    if (length > inner.length) inner = Buffer.concat([innerPad, Buffer.alloc(length)]);
    inner.write(text, BLOCK_BYTES, 'utf8');
    // A latin1 string instead of a buffer, which would have to be allocated and collected.
    outer.write(hash('sha256', inner.subarray(0, length), 'latin1'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

/** Pads the key to a block. A longer key is hashed first. */
function blockOf(secret: string): Buffer {
  const bytes = Buffer.from(secret);
  const key = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
  return Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)]);
}

const padded = (key: Buffer, pad: number) => Buffer.from(key.map((byte) => byte ^ pad));
