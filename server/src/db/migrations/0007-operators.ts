import { bigint, createdAt, longText, optional, serial, type Table, text } from '../ddl.ts';

const operator = {
  name: 'operator',
  columns: {
    id: serial,
    name: text(32),
    role: text(16),
    /** A JSON list of zone ids; null for all. */
    zones: optional(longText),
    status: text(16, 'active'),
    /** A PHC string; null until the invitation is accepted. */
    password_hash: optional(text(191)),
    invitation_hash: optional(text(64)),
    invited_until: optional(bigint()),
    last_login_at: optional(bigint()),
    last_login_ip: optional(text(45)),
    /** Incremented by every change that may remove the last administrator, so that two such changes never run concurrently. */
    revision: bigint(0),
    created_at: createdAt,
  },
  unique: [['name'], ['invitation_hash']],
} as const satisfies Table;

const operatorSession = {
  name: 'operator_session',
  columns: {
    token_hash: text(64),
    operator_id: bigint(),
    created_at: createdAt,
    last_seen_at: createdAt,
    ip: text(45),
  },
  primaryKey: ['token_hash'],
  index: [['operator_id'], ['created_at']],
} as const satisfies Table;

const operatorKey = {
  name: 'operator_key',
  columns: {
    id: serial,
    name: text(32),
    key_hash: text(64),
    role: text(16),
    zones: optional(longText),
    created_by: text(64),
    created_at: createdAt,
    expires_at: optional(bigint()),
    last_used_at: optional(bigint()),
  },
  unique: [['name'], ['key_hash']],
} as const satisfies Table;

const twoFactor = {
  name: 'two_factor',
  columns: {
    owner_kind: text(16),
    owner_id: bigint(),
    /** Encrypted; see security/sealer.ts. */
    secret: longText,
    confirmed_at: optional(bigint()),
    /** The last time step whose code was used; each step is accepted once. */
    last_step: bigint(0),
    created_at: createdAt,
  },
  primaryKey: ['owner_kind', 'owner_id'],
} as const satisfies Table;

const recoveryCode = {
  name: 'recovery_code',
  columns: { owner_kind: text(16), owner_id: bigint(), code_hash: text(64) },
  primaryKey: ['owner_kind', 'owner_id', 'code_hash'],
} as const satisfies Table;

export const operators = {
  name: '0007-operators',
  tables: [operator, operatorSession, operatorKey, twoFactor, recoveryCode],
};
