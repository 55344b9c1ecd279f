import { bigint, createdAt, type Table, text } from '../ddl.ts';

/** Keys with which the game server of one zone signs its callbacks. */
const zoneKey = {
  name: 'zone_key',
  columns: {
    key_id: text(16),
    server_id: bigint(),
    /** Sealed as two-factor secrets are: a signature is checked with the key itself, so a hash is not enough. */
    secret: text(255),
    created_by: text(64, ''),
    created_at: createdAt,
  },
  primaryKey: ['key_id'],
  index: [['server_id']],
} as const satisfies Table;

export const zoneKeys = { name: '0076-zone-keys', tables: [zoneKey] };
