/** Rows in the order of time: ids are not in that order on every engine. */
export const orderOfTime = {
  name: '0099-order-of-time',
  extensions: [
    { table: 'player', index: [['created_at']] },
    { table: 'player_login_journal', index: [['created_at']] },
    {
      table: 'webhook_delivery',
      index: [
        ['webhook_id', 'created_at'],
        ['webhook_id', 'state', 'created_at'],
      ],
    },
  ],
} as const;
