import { randomBytes } from 'node:crypto';

const BYTES = 16;
const DRAWN_AT_ONCE = 256;

let drawn = '';
let next = 0;

/** 128 random bits, for what is named once per request: `randomUUID` takes a twentieth of the fastest routes. */
export function randomId(): string {
  if (next === drawn.length) {
    drawn = randomBytes(BYTES * DRAWN_AT_ONCE).toString('hex');
    next = 0;
  }
  const start = next;
  next += BYTES * 2;
  return drawn.slice(start, next);
}
