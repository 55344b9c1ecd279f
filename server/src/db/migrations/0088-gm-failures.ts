import { bigint, optional, text } from '../ddl.ts';

/** Since when the GM interface of a zone fails, and the error it began with. */
export const gmFailures = {
  name: '0088-gm-failures',
  extensions: [
    {
      table: 'server',
      columns: { gm_failing_since: optional(bigint()), gm_failure: optional(text(255)) },
    },
  ],
} as const;
