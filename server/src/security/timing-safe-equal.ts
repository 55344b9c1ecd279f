import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time, whatever the caller sent; a length that differs tells nothing but itself. */
export function timingSafeEqualText(presented: string, expected: string): boolean {
  const ours = Buffer.from(expected);
  const theirs = Buffer.from(presented);
  const fits = theirs.length === ours.length;
  return timingSafeEqual(ours, fits ? theirs : Buffer.alloc(ours.length)) && fits;
}
