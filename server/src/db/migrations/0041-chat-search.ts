/** Operators search by role name. */
export const chatSearch = {
  name: '0041-chat-search',
  extensions: [{ table: 'chat', index: [['role', 'received_at']] }],
} as const;
