import { bigint, optional } from '../ddl.ts';

export const zoneLife = {
  name: '0030-zone-life',
  extensions: [
    {
      table: 'server',
      columns: {
        /** The zone that players of this one moved to by a merge. */
        merged_into: optional(bigint()),
        /** When a maintenance ends automatically. */
        maintenance_until: optional(bigint()),
        /** Incremented by every accepted withdrawal and every merge, so that the two never run concurrently. */
        revision: bigint(0),
      },
    },
  ],
} as const;
