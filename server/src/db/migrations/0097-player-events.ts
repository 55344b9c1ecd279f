import { bigint, createdAt, int, optional, serial, type Table, text } from '../ddl.ts';

/** What players did to their own accounts. Operators' changes are in `audit`. */
const playerEvent = {
  name: 'player_event',
  columns: {
    id: serial,
    player_id: bigint(),
    at: createdAt,
    kind: text(24),
    /** The former e-mail address or name, or the provider of a linked account. */
    detail: optional(text(255)),
    ip: text(45, ''),
    agent: text(255, ''),
  },
  // For a player's own events, newest first; for deletion by retention.
  index: [['player_id', 'at', 'id'], ['at']],
} as const satisfies Table;

export const playerEvents = {
  name: '0097-player-events',
  tables: [playerEvent],
  extensions: [
    {
      table: 'player',
      columns: {
        /** Until then the player may not chat. */
        muted_until: optional(bigint()),
        mute_reason: optional(text(200)),
        /** 1 while the password is one that an operator made. */
        password_temporary: int(0),
      },
    },
  ],
} as const;
