import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';

/** Logins waiting for a second factor; only a hash of the challenge is stored. */
const loginChallenge = {
  name: 'login_challenge',
  columns: {
    challenge_hash: text(64),
    player_id: bigint(),
    /** The player's token version at issue: revoking tokens revokes it too. */
    token_version: int(0),
    /** The kind under which the login is recorded. */
    kind: text(16),
    /** The identity to bind to the player when the login completes. */
    provider: optional(text(32)),
    connect_id: optional(text(191)),
    attempts: int(0),
    created_at: createdAt,
    expires_at: bigint(0),
    used_at: optional(bigint()),
  },
  primaryKey: ['challenge_hash'],
  index: [['expires_at'], ['player_id']],
} as const satisfies Table;

export const playerTwoFactor = {
  name: '0052-player-two-factor',
  tables: [loginChallenge],
  extensions: [
    {
      table: 'player',
      columns: {
        /** Whether `two_factor` has a confirmed row. Copied here so that a login needs no second query. */
        two_factor: int(0),
        /** Version and id of the one earlier token that is still accepted. */
        kept_token: optional(text(64)),
      },
    },
  ],
} as const;
