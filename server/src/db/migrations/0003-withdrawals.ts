import { bigint, createdAt, int, longText, optional, type Table, text } from '../ddl.ts';

const withdraw: Table = {
  name: 'withdraw',
  columns: {
    id: text(36),
    player_id: bigint(),
    request_key: optional(text(128)),
    fingerprint: text(64, ''),
    server_id: bigint(),
    role: text(400, ''), // 64 characters, of which JSON may escape each as six
    role_id: optional(bigint()),
    role_name: optional(text(64)),
    amount: bigint(),
    state: text(16, 'accepted'),
    result_code: optional(text(40)),
    open_key: optional(text(96)),
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
};

const withdrawEvent: Table = {
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
};

/** Amount an account has withdrawn per day, for the daily maximum. */
const withdrawDay: Table = {
  name: 'withdraw_day',
  columns: { player_id: bigint(), day: text(10), amount: bigint(0) },
  primaryKey: ['player_id', 'day'],
};

export const withdrawals = { name: '0003-withdrawals', tables: [withdraw, withdrawEvent, withdrawDay] };
