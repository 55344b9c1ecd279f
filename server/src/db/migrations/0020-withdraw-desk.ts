import { bigint, createdAt, int, optional, type Table, text } from '../ddl.ts';
import type { Extension } from './migration.ts';

const withdraw: Extension = {
  table: 'withdraw',
  // How one operator would settle it, until another says the same; NULL in every state but `unknown`.
  columns: {
    proposed_state: optional(text(16)),
    proposed_by: optional(text(64)),
    proposed_at: optional(bigint()),
  },
  // One for each filter of the operators' list, newest first; that of a player is there already.
  index: [
    ['created_at', 'id'],
    ['state', 'created_at', 'id'],
    ['server_id', 'created_at', 'id'],
    ['server_id', 'state', 'created_at', 'id'],
  ],
};

/** What the nightly reconciliation found: a line per day and zone. */
const reconciliation: Table = {
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
};

export const withdrawDesk = {
  name: '0020-withdraw-desk',
  tables: [reconciliation],
  extensions: [withdraw],
};
