import { bigint, createdAt, int, longText, optional, serial, type Table, text } from '../ddl.ts';

const webhook = {
  name: 'webhook',
  columns: {
    id: serial,
    url: text(1000),
    /** JSON list. */
    events: text(1000),
    description: text(255, ''),
    format: text(16, 'standard'),
    /** NULL: the default of the service. */
    language: optional(text(16)),
    paused: int(0),
    /** Sealed as two-factor secrets are. */
    secret: text(255, ''),
    previous_secret: optional(text(255)),
    previous_until: optional(bigint()),
    created_at: createdAt,
    /** Set until a sweep has deleted the deliveries. */
    removed_at: optional(bigint()),
  },
} as const satisfies Table;

/** The outbox: one row for each event and webhook. */
const delivery = {
  name: 'webhook_delivery',
  columns: {
    id: serial,
    webhook_id: bigint(),
    event_id: text(40),
    type: text(40),
    body: longText,
    /** Deleted when this player is erased. */
    player_id: optional(bigint()),
    state: text(16, 'pending'),
    attempts: int(0),
    /** When the delivery is due. A claim postpones it, so that the delivery of a killed process is due again. */
    next_at: createdAt,
    claim: optional(text(36)),
    status: optional(int()),
    answer: optional(longText),
    error: optional(text(255)),
    duration_ms: optional(bigint()),
    created_at: createdAt,
    finished_at: optional(bigint()),
  },
  index: [
    ['webhook_id', 'id'],
    ['webhook_id', 'state', 'id'],
    ['webhook_id', 'state', 'next_at'],
    ['player_id'],
    ['created_at'],
  ],
} as const satisfies Table;

/** What the watch job has reported last, as JSON. */
const watchState = {
  name: 'watch_state',
  columns: { name: text(40), value: longText },
  primaryKey: ['name'],
} as const satisfies Table;

export const webhooks = { name: '0090-webhooks', tables: [webhook, delivery, watchState] };
