import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const USUAL_TEXT_BYTES = 4096;

/**
 * HMAC-SHA-256 (RFC 2104) of a text, in base64url, for what is signed at every login: an object of node:crypto's `Hmac` has
 * to be made and collected each time, which takes an eighth of one.
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
    // Text and not bytes: a buffer would have to be made and collected for it.
    outer.write(hash('sha256', inner.subarray(0, length), 'latin1'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

/** A key that is longer than a block is hashed first. */
function blockOf(secret: string): Buffer {
  const bytes = Buffer.from(secret);
  const key = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
  return Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)]);
}

const padded = (key: Buffer, pad: number) => Buffer.from(key.map((byte) => byte ^ pad));
