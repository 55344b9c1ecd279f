import { optional, text } from '../ddl.ts';

/**
 * Whether a proposal came from the console (`console`) or the command line (`cli`). The command line counts as one person, because
 * its environment can name anyone.
 */
export const proposedVia = {
  name: '0082-proposed-via',
  extensions: [{ table: 'withdraw', columns: { proposed_via: optional(text(16)) } }],
} as const;
