import { bigint, createdAt, type Table, text } from '../ddl.ts';

/** Tokens revoked before their expiry. Kept until then. */
const revokedToken = {
  name: 'revoked_token',
  columns: { token_id: text(64), revoked_at: createdAt, expires_at: bigint() },
  primaryKey: ['token_id'],
  index: [['revoked_at'], ['expires_at']],
} as const satisfies Table;

export const revokedTokens = { name: '0010-revoked-tokens', tables: [revokedToken] };
