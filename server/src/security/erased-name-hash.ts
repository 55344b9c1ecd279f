import { createKeyedHash, type KeyedHash } from './keyed-hash.ts';

/** Uses the one secret that is never replaced: the names stay taken for good. */
export const erasedNameHash = (auth: { readonly password_key: string }): KeyedHash =>
  createKeyedHash([auth.password_key], 'erased name');
