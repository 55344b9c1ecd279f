/** What the audit records, as `noun.verb`. */
export type AuditAction =
  | `player.${'ban' | 'unban' | 'sign_out' | 'reset_password' | 'set_email' | 'note'}`
  | `zone.${'add' | 'set' | 'status' | 'merge' | 'remove'}`
  | `withdraw.${'propose' | 'settle' | 'receipt'}`
  | `promoter.${'add' | 'set'}`
  | `control.${'set' | 'clear'}`
  | `deny.${'add' | 'remove'}`
  | `announcement.${'add' | 'set' | 'remove'}`
  | `operator.${'add' | 'set' | 'disable' | 'enable' | 'invite' | 'password' | 'totp' | 'login_failed'}`
  | `key.${'add' | 'revoke'}`
  | `webhook.${'add' | 'set' | 'remove' | 'replay'}`
  | 'import.run'
  | 'export';
