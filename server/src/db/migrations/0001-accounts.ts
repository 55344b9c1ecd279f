import { accountKeySql } from '../account-key.ts';
import { bigint, createdAt, derived, int, optional, serial, type Table, text } from '../ddl.ts';

const player = {
  name: 'player',
  columns: {
    id: serial,
    account: text(64),
    /** Generated, so that a plain INSERT has it too. */
    account_key: derived(text(64), accountKeySql('account')),
    password_hash: text(64, ''),
    email: text(254, ''),
    /** Set only by the service's own registration: old data may share an e-mail, new accounts may not. */
    email_key: optional(text(254)),
    server_id: optional(bigint()),
    ip: text(45, ''),
    device: text(128, ''),
    os: text(128, ''),
    browse: text(128, ''),
    agent_id: optional(bigint()),
    token_version: int(0),
    status: text(16, 'active'),
    ban_reason: optional(text(255)),
    banned_until: optional(bigint()),
    created_at: createdAt,
    last_login_at: optional(bigint()),
    last_login_ip: optional(text(45)),
    last_server_id: optional(bigint()),
    login_count: int(0),
  },
  unique: [['account_key'], ['email_key']],
  index: [['email']],
} as const satisfies Table;

const agent = {
  name: 'agent',
  columns: { agent_id: serial, name: text(64, ''), status: text(16, 'active'), created_at: createdAt },
} as const satisfies Table;

const verify = {
  name: 'verify',
  columns: {
    id: serial,
    email: text(254),
    code_hash: text(64, ''),
    created_at: createdAt,
    expires_at: bigint(0),
    attempts: int(0),
    used_at: optional(bigint()),
  },
  index: [['email'], ['expires_at']],
} as const satisfies Table;

const dayCounter = {
  name: 'day_counter',
  columns: { name: text(32), day: text(10), n: bigint(0) },
  primaryKey: ['name', 'day'],
} as const satisfies Table;

/** Values that can be used only once: signatures, login states. */
const usedOnce = {
  name: 'used_once',
  columns: { kind: text(16), key: text(128), expires_at: bigint(0) },
  primaryKey: ['kind', 'key'],
  index: [['expires_at']],
} as const satisfies Table;

export const accounts = { name: '0001-accounts', tables: [player, agent, verify, dayCounter, usedOnce] };
