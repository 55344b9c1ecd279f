import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';

/** What game clients present once; only a hash is kept. */
const entryTicket: Table = {
  name: 'entry_ticket',
  columns: {
    ticket_hash: text(64),
    player_id: bigint(),
    server_id: bigint(),
    /** The player's when it was issued: what ends tokens ends tickets. */
    token_version: int(0),
    created_at: createdAt,
    expires_at: bigint(0),
    used_at: optional(bigint()),
    /** The address of the game server that used it. */
    used_by: optional(text(45)),
  },
  primaryKey: ['ticket_hash'],
  index: [['expires_at']],
};

export const entryTickets = { name: '0031-entry-tickets', tables: [entryTicket] };
