import { optional, text } from '../ddl.ts';

export const ticketSession = {
  name: '0060-ticket-session',
  extensions: [
    {
      table: 'entry_ticket',
      columns: {
        /** Id of the session token it was issued for: logging out revokes its tickets too. */
        session_id: optional(text(64)),
      },
    },
  ],
} as const;
