import { randomFillSync } from 'node:crypto';

const OCTETS = 16;
const LENGTH = 36;
const DRAWN_AT_ONCE = 256;
const HEX = Buffer.from('0123456789abcdef');

const bytes = Buffer.alloc(DRAWN_AT_ONCE * OCTETS);
const text = Buffer.alloc(DRAWN_AT_ONCE * LENGTH, '-');
let drawn = '';
let next = 0;

/** Returns a random UUID from a batch: generating one per request takes a twentieth of the fastest routes. */
export function randomId(): string {
  if (next === drawn.length) {
    drawn = draw();
    next = 0;
  }
  const start = next;
  next += LENGTH;
  return drawn.slice(start, next);
}

function draw(): string {
  randomFillSync(bytes);
  let place = 0;
  for (let index = 0; index < bytes.length; index++) {
    const octet = index % OCTETS;
    if (octet === 4 || octet === 6 || octet === 8 || octet === 10) place++; // a dash is there already
    const byte = withVersion(octet, bytes[index] as number);
    text[place++] = HEX[byte >> 4] as number;
    text[place++] = HEX[byte & 0xf] as number;
  }
  return text.toString('latin1');
}

/** Sets the six fixed bits of RFC 9562, version 4. */
function withVersion(octet: number, byte: number): number {
  if (octet === 6) return 0x40 | (byte & 0x0f);
  if (octet === 8) return 0x80 | (byte & 0x3f);
  return byte;
}
