import { bigint, createdAt, longText, optional, serial, type Table, text } from '../ddl.ts';

/** An override of a setting; `value` is JSON. */
const control = {
  name: 'control',
  columns: {
    name: text(64),
    value: text(191),
    until: optional(bigint()),
    actor: text(64, ''),
    at: createdAt,
    reason: optional(longText),
  },
  primaryKey: ['name'],
} as const satisfies Table;

const denyEntry = {
  name: 'deny_entry',
  columns: {
    id: serial,
    entry: text(100),
    until: optional(bigint()),
    actor: text(64, ''),
    at: createdAt,
    reason: optional(longText),
  },
  index: [['until']],
} as const satisfies Table;

const announcement = {
  name: 'announcement',
  columns: {
    id: serial,
    title: text(200),
    body: longText,
    level: text(16, 'info'),
    /** NULL: for all languages. */
    language: optional(text(16)),
    starts_at: optional(bigint()),
    ends_at: optional(bigint()),
    created_at: createdAt,
  },
  index: [['ends_at']],
} as const satisfies Table;

export const controls = { name: '0009-controls', tables: [control, denyEntry, announcement] };
