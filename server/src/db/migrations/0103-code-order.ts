/** Finds the newest code of an e-mail address without sorting, which took most of that lookup's time on SQLite. */
export const codeOrder = {
  name: '0103-code-order',
  extensions: [{ table: 'verify', index: [['email', 'created_at']], droppedIndex: [['email']] }],
} as const;
