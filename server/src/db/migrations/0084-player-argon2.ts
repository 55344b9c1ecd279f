import { optional, text } from '../ddl.ts';

/**
 * Passwords as argon2id over the md5 hash, PHC strings; `password_hash` is then empty. A separate column, because the first version
 * limits `password_hash` to 64 characters.
 */
export const playerArgon2 = {
  name: '0084-player-argon2',
  extensions: [{ table: 'player', columns: { password_argon2: optional(text(191)) } }],
} as const;
