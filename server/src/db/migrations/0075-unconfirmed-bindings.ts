import { int } from '../ddl.ts';

export const unconfirmedBindings = {
  name: '0075-unconfirmed-bindings',
  extensions: [
    {
      table: 'player_connect_threeparty',
      columns: {
        /** Whether a game server made the binding with bind_account. */
        by_game_server: int(0),
        /** Whether the first login through it still has to give the account's password. */
        unconfirmed: int(0),
      },
    },
  ],
} as const;
