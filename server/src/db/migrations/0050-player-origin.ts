import { optional, text } from '../ddl.ts';

/**
 * Where an account came from, and what it was then: what is changed on either side since can be told, and carried back.
 * Password and e-mail as SHA-256, so that the columns give away neither.
 */
export const playerOrigin = {
  name: '0050-player-origin',
  extensions: [
    {
      table: 'player',
      columns: {
        origin: text(16, ''),
        imported_hash: optional(text(64)),
        imported_email: optional(text(64)),
        imported_status: optional(text(16)),
      },
    },
  ],
};
