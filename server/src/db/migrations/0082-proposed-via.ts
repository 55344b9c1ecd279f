import { optional, text } from '../ddl.ts';

/** Whether a proposal came by the console or by the command line (`console` or `cli`), which is one person whatever its environment says. */
export const proposedVia = {
  name: '0082-proposed-via',
  extensions: [{ table: 'withdraw', columns: { proposed_via: optional(text(16)) } }],
} as const;
