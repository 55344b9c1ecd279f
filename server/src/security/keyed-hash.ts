import { createHmac, timingSafeEqual } from 'node:crypto';

/** A hash that only this installation can compute: stored hashes of codes and tickets do not reveal them. */
export interface KeyedHash {
  (...parts: string[]): string;
  /** Hashes under every secret, to match values from before the first secret changed. */
  all(...parts: string[]): string[];
}

/** Derives a separate key for each purpose from the operator's secrets. The first one makes new hashes. */
export function createKeyedHash(secrets: readonly string[], purpose: string): KeyedHash {
  const hashes = secrets.map((secret) => {
    const key = createHmac('sha256', secret).update(`gatehouse ${purpose}`).digest();
    return (...parts: string[]) => createHmac('sha256', key).update(parts.join('\n')).digest('hex');
  });
  const [first] = hashes;
  if (first === undefined) throw new TypeError('a keyed hash needs a secret');
  return Object.assign(first, { all: (...parts: string[]) => hashes.map((hash) => hash(...parts)) });
}

/** Compares in constant time for any input. A different length reveals only itself. */
export function timingSafeEqualText(presented: string, expected: string): boolean {
  const ours = Buffer.from(expected);
  const theirs = Buffer.from(presented);
  const fits = theirs.length === ours.length;
  return timingSafeEqual(ours, fits ? theirs : Buffer.alloc(ours.length)) && fits;
}
