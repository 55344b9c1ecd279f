/** How a game server may have reported the name of an account. */
export const spellings = (account: string): string[] => [
  ...new Set([account, account.toLowerCase(), account.toUpperCase()]),
];
