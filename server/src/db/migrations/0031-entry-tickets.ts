import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';

/** Tickets that game clients present once; only a hash is stored. */
const entryTicket = {
  name: 'entry_ticket',
  columns: {
    ticket_hash: text(64),
    player_id: bigint(),
    server_id: bigint(),
    /** The player's token version at issue: revoking tokens revokes tickets too. */
    token_version: int(0),
    created_at: createdAt,
    expires_at: bigint(0),
    used_at: optional(bigint()),
    /** Address of the game server that used it. */
    used_by: optional(text(45)),
  },
  primaryKey: ['ticket_hash'],
  index: [['expires_at']],
} as const satisfies Table;

export const entryTickets = { name: '0031-entry-tickets', tables: [entryTicket] };
