import { bigint, int, optional, type Table, text } from '../ddl.ts';

const server = {
  name: 'server',
  columns: {
    server_id: bigint(),
    name: text(64),
    address: text(255),
    port: int(),
    status: text(16, 'open'),
    sort: int(0),
    opened_at: optional(bigint()),
    message: optional(text(255)),
    gm_url: optional(text(255)),
    database_url: optional(text(255)),
  },
  primaryKey: ['server_id'],
} as const satisfies Table;

export const zones = { name: '0002-zones', tables: [server] };
