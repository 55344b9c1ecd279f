import { optional, text } from '../ddl.ts';

/**
 * The origin of an account and its state at import, so that later changes on either side can be detected and carried back.
 * Password and e-mail are stored as SHA-256, so that the columns reveal neither.
 */
export const playerOrigin = {
  name: '0050-player-origin',
  extensions: [
    {
      table: 'player',
      columns: {
        /** `import` for accounts of the previous generation, otherwise empty. */
        origin: text(16, ''),
        imported_hash: optional(text(64)),
        imported_email: optional(text(64)),
        imported_status: optional(text(16)),
      },
    },
  ],
} as const;
