import { createHmac, randomBytes } from 'node:crypto';
import { timingSafeEqualText } from './keyed-hash.ts';

const STEP_S = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new secret in base32, the format of authenticators. */
export function newTotpSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

/** RFC 6238: returns the step that a code belongs to, out of the previous, current and next one, or undefined. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const key = fromBase32(secret);
  const current = Math.floor(nowMs / 1000 / STEP_S);
  let found: number | undefined;
  // Compute all three, so that timing reveals nothing.
  for (const step of [current - 1, current, current + 1]) {
    if (timingSafeEqualText(code, codeOf(key, step))) found = step;
  }
  return found;
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns the URL for an authenticator's QR code. */
export function otpauthUrl({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): string {
  const query = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_S),
  });
  // Authenticators show a plus sign literally.
  const parameters = query.toString().replaceAll('+', '%20');
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${parameters}`;
}

export function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31];
    value &= 0xff;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of text) {
    value = ((value << 5) | BASE32.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
