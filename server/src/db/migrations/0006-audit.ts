import { bigint, createdAt, longText, optional, type Table, text } from '../ddl.ts';

/** The id is generated before the write, so that an unconfirmed commit can be looked up. */
const audit = {
  name: 'audit',
  columns: {
    id: text(36),
    at: createdAt,
    actor: text(64),
    via: text(16),
    action: text(32),
    subject_kind: optional(text(32)),
    subject_id: optional(text(191)),
    server_id: optional(bigint()),
    reason: optional(longText),
    /** JSON text of what changed, without secrets; so is `after`. */
    before: optional(longText),
    after: optional(longText),
    ip: optional(text(45)),
    request_id: optional(text(64)),
  },
  primaryKey: ['id'],
  // One per filter of the list, newest first; the first also serves deletion by retention.
  index: [
    ['at', 'id'],
    ['actor', 'at', 'id'],
    ['action', 'at', 'id'],
    ['subject_kind', 'at', 'id'],
    ['subject_id', 'at', 'id'],
    ['server_id', 'at', 'id'],
  ],
} as const satisfies Table;

export const auditRecords = { name: '0006-audit', tables: [audit] };
