import type { Generated, GeneratedAlways } from 'kysely';

/** Accounts of players: logins, codes, second factors, forum identities. */
export interface AccountTables {
  player: {
    id: Generated<number>;
    account: string;
    /** A generated column (see account-key.ts), so that a plain INSERT has it too. */
    account_key: GeneratedAlways<string>;
    password_hash: Generated<string>;
    /** Argon2id over the md5 hash, a PHC string; `password_hash` is then empty. */
    password_argon2: string | null;
    email: Generated<string>;
    /** Set only by the service's own registration: old data may share an e-mail, new accounts may not. */
    email_key: string | null;
    server_id: number | null;
    ip: Generated<string>;
    device: Generated<string>;
    os: Generated<string>;
    browse: Generated<string>;
    agent_id: number | null;
    token_version: Generated<number>;
    status: Generated<string>;
    ban_reason: string | null;
    banned_until: number | null;
    created_at: Generated<number>;
    last_login_at: number | null;
    last_login_ip: string | null;
    last_server_id: number | null;
    login_count: Generated<number>;
    /** When the player last used an md5 token; written at most once a day. */
    legacy_seen_at: number | null;
    /** Time of the last password reset or e-mail change. */
    reset_at: number | null;
    /** `import` for accounts of the previous generation, otherwise empty. */
    origin: Generated<string>;
    /** State at import: SHA-256 of the old hash and e-mail, and the status. */
    imported_hash: string | null;
    imported_email: string | null;
    imported_status: string | null;
    /** When the account will be erased, unless its owner logs in first. */
    deletion_at: number | null;
    /** When it was erased; while `deletion_at` is still set, erasure is incomplete. */
    erased_at: number | null;
    /** When the owner of an account created by a forum login chose its name. */
    name_chosen_at: number | null;
    /** When the last withdrawal mail was sent to the player. */
    withdrawal_told_at: number | null;
    /** 1 while two-factor login is on. */
    two_factor: Generated<number>;
    kept_token: string | null;
    /** Until then the player may not chat. */
    muted_until: number | null;
    mute_reason: string | null;
    /** 1 while the password is one that an operator made. */
    password_temporary: Generated<number>;
  };

  /** What a player did to the account. */
  player_event: {
    id: Generated<number>;
    player_id: number;
    at: Generated<number>;
    kind: string;
    detail: string | null;
    ip: Generated<string>;
    agent: Generated<string>;
  };

  /** A zone that the player has entered. */
  player_zone: {
    player_id: number;
    server_id: number;
  };

  player_login: {
    id: Generated<number>;
    player_id: number;
    at: Generated<number>;
    kind: string;
    code: string | null;
    server_id: number | null;
    ip: Generated<string>;
    agent: Generated<string>;
  };

  player_login_journal: {
    id: Generated<number>;
    /** JSON list of logins. */
    logins: string;
    created_at: Generated<number>;
  };

  player_note: {
    id: Generated<number>;
    player_id: number;
    text: string;
    by: string;
    at: Generated<number>;
  };

  revoked_token: {
    token_id: string;
    revoked_at: Generated<number>;
    expires_at: number;
  };

  erased_name: {
    name_hash: string;
  };

  verify: {
    id: Generated<number>;
    email: string;
    code_hash: Generated<string>;
    created_at: Generated<number>;
    expires_at: Generated<number>;
    attempts: Generated<number>;
    used_at: number | null;
    /** Empty: valid for registration and for a new password. */
    purpose: Generated<string>;
    /** Wrong tries from the usual addresses of the account; others are counted in `attempts`. */
    usual_attempts: Generated<number>;
  };

  wrong_code: {
    day: string;
    email: string;
    n: Generated<number>;
    /** From the usual addresses of the account; others are counted in `n`. */
    usual_n: Generated<number>;
    /** 1 once the owner was notified that the others are used up. */
    told: Generated<number>;
  };

  two_factor: {
    owner_kind: string;
    owner_id: number;
    secret: string;
    confirmed_at: number | null;
    last_step: Generated<number>;
    created_at: Generated<number>;
  };

  recovery_code: {
    owner_kind: string;
    owner_id: number;
    code_hash: string;
  };

  login_challenge: {
    challenge_hash: string;
    player_id: number;
    token_version: Generated<number>;
    kind: string;
    provider: string | null;
    connect_id: string | null;
    attempts: Generated<number>;
    created_at: Generated<number>;
    expires_at: Generated<number>;
    used_at: number | null;
  };

  /** What the last import found in a source of old accounts. */
  import_source: {
    digest: string;
    source: string;
    accounts: Generated<number>;
    kept: Generated<number>;
    conflicts: Generated<number>;
    refused: Generated<number>;
    complete: Generated<number>;
    watch: Generated<number>;
    changed_at: Generated<number>;
    at: Generated<number>;
  };

  player_connect_threeparty: {
    id: Generated<number>;
    provider: Generated<string>;
    connect_id: string;
    player_id: number;
    created_at: Generated<number>;
    by_game_server: Generated<number>;
    unconfirmed: Generated<number>;
  };

  forum_ticket: {
    ticket_hash: string;
    provider: Generated<string>;
    connect_id: string;
    profile_name: string | null;
    created_at: Generated<number>;
    expires_at: Generated<number>;
    used_at: number | null;
  };

  forum_account: {
    player_id: number;
    password_hash: string;
  };
}
