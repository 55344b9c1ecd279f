import { bigint, createdAt, int, longText, optional, type Table, text } from '../ddl.ts';

const withdraw = {
  name: 'withdraw',
  columns: {
    id: text(36),
    player_id: bigint(),
    request_key: optional(text(128)),
    fingerprint: text(64, ''),
    server_id: bigint(),
    /** As requested, JSON text: an id or a name of 64 characters, of which JSON may escape each as six. */
    role: text(400, ''),
    role_id: optional(bigint()),
    role_name: optional(text(64)),
    amount: bigint(),
    state: text(16, 'accepted'),
    result_code: optional(text(40)),
    /** `server:role` while the withdrawal is open, NULL in a final state: at most one open withdrawal per role. */
    open_key: optional(text(96)),
    /** The day whose sum includes the amount, or NULL. */
    day: optional(text(10)),
    balance_before: optional(bigint()),
    balance_after: optional(bigint()),
    claim_token: optional(text(36)),
    created_at: createdAt,
    updated_at: createdAt,
  },
  primaryKey: ['id'],
  unique: [['open_key'], ['player_id', 'request_key']],
  index: [
    ['player_id', 'created_at', 'id'],
    ['state', 'updated_at'],
    ['server_id', 'role_id', 'updated_at'],
  ],
} as const satisfies Table;

const withdrawEvent = {
  name: 'withdraw_event',
  columns: {
    withdraw_id: text(36),
    seq: int(),
    from_state: optional(text(16)),
    to_state: text(16),
    why: text(255, ''),
    actor: text(64, ''),
    detail: optional(longText),
    at: createdAt,
  },
  primaryKey: ['withdraw_id', 'seq'],
} as const satisfies Table;

/** Amount an account has withdrawn per day, for the daily maximum. */
const withdrawDay = {
  name: 'withdraw_day',
  columns: { player_id: bigint(), day: text(10), amount: bigint(0) },
  primaryKey: ['player_id', 'day'],
} as const satisfies Table;

export const withdrawals = { name: '0003-withdrawals', tables: [withdraw, withdrawEvent, withdrawDay] };
