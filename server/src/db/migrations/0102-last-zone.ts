/** For the list of players of an operator who is limited to zones: a row written by SQL may have no row in `player_zone`. */
export const lastZone = {
  name: '0102-last-zone',
  extensions: [{ table: 'player', index: [['last_server_id']] }],
} as const;
