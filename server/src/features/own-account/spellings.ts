/** Returns the spellings under which a game server may have reported an account. */
export const spellings = (account: string): string[] => [
  ...new Set([account, account.toLowerCase(), account.toUpperCase()]),
];
