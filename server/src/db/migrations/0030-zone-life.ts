import { bigint, optional } from '../ddl.ts';

export const zoneLife = {
  name: '0030-zone-life',
  extensions: [
    {
      table: 'server',
      columns: {
        merged_into: optional(bigint()),
        maintenance_until: optional(bigint()),
        /** Raised by every withdrawal that is accepted and by every merge, so that the two never run side by side. */
        revision: bigint(0),
      },
    },
  ],
};
