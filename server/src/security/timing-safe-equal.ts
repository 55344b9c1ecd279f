import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time for any input. A different length reveals only itself. */
export function timingSafeEqualText(presented: string, expected: string): boolean {
  const ours = Buffer.from(expected);
  const theirs = Buffer.from(presented);
  const fits = theirs.length === ours.length;
  return timingSafeEqual(ours, fits ? theirs : Buffer.alloc(ours.length)) && fits;
}
