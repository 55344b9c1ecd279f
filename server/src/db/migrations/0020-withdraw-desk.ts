import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';
import type { Extension } from './migration.ts';

const withdraw = {
  table: 'withdraw',
  // A settlement proposed by one operator until another confirms it; NULL in every state but `unknown`.
  columns: {
    proposed_state: optional(text(16)),
    proposed_by: optional(text(64)),
    proposed_at: optional(bigint()),
  },
  // One per filter of the operators' list, newest first; the one for a player already exists.
  index: [
    ['created_at', 'id'],
    ['state', 'created_at', 'id'],
    ['server_id', 'created_at', 'id'],
    ['server_id', 'state', 'created_at', 'id'],
  ],
} as const satisfies Extension;

/** Results of the nightly reconciliation: one row per day and zone. */
const reconciliation = {
  name: 'reconciliation',
  columns: {
    day: text(10),
    server_id: bigint(),
    done: int(),
    done_amount: bigint(),
    refused: int(),
    failed: int(),
    open: int(),
    unknown: int(),
    unknown_amount: bigint(),
    receipts: int(),
    drift: optional(bigint()),
    created_at: createdAt,
  },
  primaryKey: ['day', 'server_id'],
} as const satisfies Table;

export const withdrawDesk = {
  name: '0020-withdraw-desk',
  tables: [reconciliation],
  extensions: [withdraw],
};
