import { bigint, optional } from '../ddl.ts';

export const withdrawOrigin = {
  name: '0061-withdraw-origin',
  extensions: [
    // The zone that the request named, where it had been merged: roles are named as they were there.
    { table: 'withdraw', columns: { origin_server_id: optional(bigint()) } },
  ],
};
