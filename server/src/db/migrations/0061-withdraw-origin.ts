import { bigint, optional } from '../ddl.ts';

export const withdrawOrigin = {
  name: '0061-withdraw-origin',
  extensions: [
    // The zone named in the request if it had been merged: role names are those of that zone.
    { table: 'withdraw', columns: { origin_server_id: optional(bigint()) } },
  ],
} as const;
