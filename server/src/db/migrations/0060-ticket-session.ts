import { optional, text } from '../ddl.ts';

export const ticketSession = {
  name: '0060-ticket-session',
  extensions: [
    {
      table: 'entry_ticket',
      columns: {
        /** The id of the session's token that it was issued for: logging out ends its tickets too. */
        session_id: optional(text(64)),
      },
    },
  ],
};
