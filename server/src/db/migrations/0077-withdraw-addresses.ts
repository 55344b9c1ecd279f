import { optional, text } from '../ddl.ts';

/** The zone's addresses when a withdrawal was accepted: a later change of the zone cannot answer for it. NULL in older rows. */
export const withdrawAddresses = {
  name: '0077-withdraw-addresses',
  extensions: [
    {
      table: 'withdraw',
      columns: { gm_url: optional(text(255)), database_url: optional(text(255)) },
    },
  ],
} as const;
