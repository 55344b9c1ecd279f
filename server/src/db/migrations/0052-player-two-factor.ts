import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';

/** Logins that wait for the code of a second factor; only a hash is kept of what continues them. */
const loginChallenge: Table = {
  name: 'login_challenge',
  columns: {
    challenge_hash: text(64),
    player_id: bigint(),
    /** The player's when it was issued: what ends tokens ends it. */
    token_version: int(0),
    /** What the login is recorded as. */
    kind: text(16),
    /** The identity that is bound to the player when the login is finished. */
    provider: optional(text(32)),
    connect_id: optional(text(191)),
    attempts: int(0),
    created_at: createdAt,
    expires_at: bigint(0),
    used_at: optional(bigint()),
  },
  primaryKey: ['challenge_hash'],
  index: [['expires_at'], ['player_id']],
};

export const playerTwoFactor = {
  name: '0052-player-two-factor',
  tables: [loginChallenge],
  extensions: [
    {
      table: 'player',
      columns: {
        /** Whether `two_factor` has a confirmed row: every login reads this one, and needs no second query. */
        two_factor: int(0),
        /** The one token of an earlier version that is good with this one: its version and the token's id. */
        kept_token: optional(text(64)),
      },
    },
  ],
};
