/** Filters of operators' lists that had to look at every row: a channel of the chat, an account of the forum. */
export const listFilters = {
  name: '0062-list-filters',
  extensions: [
    { table: 'chat', index: [['channel', 'received_at']] },
    { table: 'player_connect_threeparty', index: [['connect_id']] },
  ],
};
