import { bigint, createdAt, optional, serial, type Table, text } from '../ddl.ts';

const playerConnect = {
  name: 'player_connect_threeparty',
  columns: {
    id: serial,
    provider: text(32, 'forum'),
    connect_id: text(191),
    player_id: bigint(),
    created_at: createdAt,
  },
  unique: [
    ['provider', 'connect_id'],
    ['provider', 'player_id'],
  ],
  index: [['player_id']],
} as const satisfies Table;

const forumTicket = {
  name: 'forum_ticket',
  columns: {
    ticket_hash: text(64),
    provider: text(32, 'forum'),
    connect_id: text(191),
    profile_name: optional(text(128)),
    created_at: createdAt,
    expires_at: bigint(0),
    used_at: optional(bigint()),
  },
  primaryKey: ['ticket_hash'],
  index: [['expires_at']],
} as const satisfies Table;

/**
 * Accounts created by a forum login, with the hash of a password nobody knows. Any other hash in `player` was set by the owner.
 */
const forumAccount = {
  name: 'forum_account',
  columns: { player_id: bigint(), password_hash: text(64) },
  primaryKey: ['player_id'],
} as const satisfies Table;

export const forum = { name: '0004-forum', tables: [playerConnect, forumTicket, forumAccount] };
