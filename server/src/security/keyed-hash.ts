import { createHmac } from 'node:crypto';

/** A hash that only this installation can make: what is stored of a code or a ticket does not give it away. */
export interface KeyedHash {
  (...parts: string[]): string;
  /** Under each of the secrets: what was made before the first one changed is still known. */
  all(...parts: string[]): string[];
}

/** Each purpose has a key of its own, derived from the secrets the operator keeps. The first one makes new hashes. */
export function createKeyedHash(secrets: readonly string[], purpose: string): KeyedHash {
  const hashes = secrets.map((secret) => {
    const key = createHmac('sha256', secret).update(`gatehouse ${purpose}`).digest();
    return (...parts: string[]) => createHmac('sha256', key).update(parts.join('\n')).digest('hex');
  });
  const [first] = hashes;
  if (first === undefined) throw new TypeError('a keyed hash needs a secret');
  return Object.assign(first, { all: (...parts: string[]) => hashes.map((hash) => hash(...parts)) });
}
