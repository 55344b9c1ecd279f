/** Indexes for filters of operators' lists that needed a full scan: chat channel, forum account. */
export const listFilters = {
  name: '0062-list-filters',
  extensions: [
    { table: 'chat', index: [['channel', 'received_at']] },
    { table: 'player_connect_threeparty', index: [['connect_id']] },
  ],
} as const;
