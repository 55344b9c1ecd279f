import { createHmac } from 'node:crypto';

/** A hash that only this installation can make: what is stored of a code or a ticket does not give it away. */
export type KeyedHash = (...parts: string[]) => string;

/** Each purpose has a key of its own, derived from the one secret the operator keeps. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  const key = createHmac('sha256', secret).update(`gatehouse ${purpose}`).digest();
  return (...parts) => createHmac('sha256', key).update(parts.join('\n')).digest('hex');
}
