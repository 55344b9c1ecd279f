import type { Generated, GeneratedAlways } from 'kysely';

/** Times are milliseconds since 1970 UTC. `Generated` marks columns that the database fills in. */
export interface Database {
  player: PlayerRow;
  agent: AgentRow;
  verify: VerifyRow;
  wrong_code: WrongCodeRow;
  day_counter: DayCounterRow;
  used_once: UsedOnceRow;
  server: ServerRow;
  entry_ticket: EntryTicketRow;
  zone_key: ZoneKeyRow;
  withdraw: WithdrawRow;
  withdraw_event: WithdrawEventRow;
  withdraw_day: WithdrawDayRow;
  reconciliation: ReconciliationRow;
  player_connect_threeparty: PlayerConnectRow;
  forum_ticket: ForumTicketRow;
  forum_account: ForumAccountRow;
  chat: ChatRow;
  chat_name: ChatNameRow;
  audit: AuditRow;
  operator: OperatorRow;
  operator_session: OperatorSessionRow;
  operator_key: OperatorKeyRow;
  two_factor: TwoFactorRow;
  recovery_code: RecoveryCodeRow;
  login_challenge: LoginChallengeRow;
  player_login: PlayerLoginRow;
  player_event: PlayerEventRow;
  player_login_journal: PlayerLoginJournalRow;
  day_stat: DayStatRow;
  stat_cursor: StatCursorRow;
  job_lease: JobLeaseRow;
  player_note: PlayerNoteRow;
  player_zone: PlayerZoneRow;
  control: ControlRow;
  deny_entry: DenyEntryRow;
  announcement: AnnouncementRow;
  site_setting: SiteSettingRow;
  site_file: SiteFileRow;
  revoked_token: RevokedTokenRow;
  erased_name: ErasedNameRow;
  webhook: WebhookRow;
  webhook_delivery: WebhookDeliveryRow;
  watch_state: WatchStateRow;
  import_source: ImportSourceRow;
  migration: MigrationRow;
  migration_lock: MigrationLockRow;
}

export interface PlayerRow {
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
}

/** What a player did to the account. */
export interface PlayerEventRow {
  id: Generated<number>;
  player_id: number;
  at: Generated<number>;
  kind: string;
  detail: string | null;
  ip: Generated<string>;
  agent: Generated<string>;
}

/** A zone that the player has entered. */
export interface PlayerZoneRow {
  player_id: number;
  server_id: number;
}

export interface AgentRow {
  agent_id: Generated<number>;
  name: Generated<string>;
  status: Generated<string>;
  created_at: Generated<number>;
}

export interface VerifyRow {
  id: Generated<number>;
  email: string;
  code_hash: Generated<string>;
  created_at: Generated<number>;
  expires_at: Generated<number>;
  attempts: Generated<number>;
  used_at: number | null;
  /** Empty: valid for registration and for a new password. */
  purpose: Generated<string>;
  /** Wrong tries from the usual addresses of the account; all others are `attempts`. */
  usual_attempts: Generated<number>;
}

export interface WrongCodeRow {
  day: string;
  email: string;
  n: Generated<number>;
  /** From the usual addresses of the account; all others are `n`. */
  usual_n: Generated<number>;
  /** 1 once the owner was told that the others are used up. */
  told: Generated<number>;
}

export interface DayCounterRow {
  name: string;
  day: string;
  n: Generated<number>;
}

export interface UsedOnceRow {
  kind: string;
  key: string;
  expires_at: Generated<number>;
}

export interface ServerRow {
  server_id: number;
  name: string;
  address: string;
  port: number;
  status: Generated<string>;
  sort: Generated<number>;
  opened_at: number | null;
  message: string | null;
  gm_url: string | null;
  database_url: string | null;
  /** The zone that players of this one moved to by a merge. */
  merged_into: number | null;
  /** When a maintenance ends automatically. */
  maintenance_until: number | null;
  revision: Generated<number>;
  /** Null while the GM interface works, or was not called yet. */
  gm_failing_since: number | null;
  gm_failure: string | null;
  /** 1 or 0; null: as gm.receipt_operation says. */
  gm_receipts: number | null;
  /** Null: as gm.signature_version says. */
  gm_signature_version: number | null;
}

export interface EntryTicketRow {
  ticket_hash: string;
  player_id: number;
  server_id: number;
  token_version: Generated<number>;
  created_at: Generated<number>;
  expires_at: Generated<number>;
  used_at: number | null;
  used_by: string | null;
  session_id: string | null;
}

export interface ZoneKeyRow {
  key_id: string;
  server_id: number;
  secret: string;
  created_by: Generated<string>;
  created_at: Generated<number>;
}

export interface WithdrawRow {
  id: string;
  player_id: number;
  request_key: string | null;
  fingerprint: Generated<string>;
  server_id: number;
  /** The zone named in the request, if it has been merged into this one. */
  origin_server_id: number | null;
  /** The role as requested, JSON text: an id or a name. */
  role: Generated<string>;
  role_id: number | null;
  role_name: string | null;
  amount: number;
  state: Generated<string>;
  result_code: string | null;
  /** `server:role` while the withdrawal is open, NULL in a final state: at most one open withdrawal per role. */
  open_key: string | null;
  /** The day whose sum includes the amount, or NULL. */
  day: string | null;
  balance_before: number | null;
  balance_after: number | null;
  claim_token: string | null;
  /** The zone's addresses when it was accepted; NULL in rows from before they were kept. */
  gm_url: string | null;
  database_url: string | null;
  /** How one operator would settle it, until another says the same. */
  proposed_state: string | null;
  proposed_by: string | null;
  proposed_at: number | null;
  /** `console` or `cli`. */
  proposed_via: string | null;
  created_at: Generated<number>;
  updated_at: Generated<number>;
}

export interface WithdrawEventRow {
  withdraw_id: string;
  seq: number;
  from_state: string | null;
  to_state: string;
  why: Generated<string>;
  actor: Generated<string>;
  detail: string | null;
  at: Generated<number>;
}

export interface WithdrawDayRow {
  player_id: number;
  day: string;
  amount: Generated<number>;
  refused: Generated<number>;
}

export interface ReconciliationRow {
  day: string;
  server_id: number;
  done: number;
  done_amount: number;
  refused: number;
  failed: number;
  open: number;
  unknown: number;
  unknown_amount: number;
  receipts: number;
  drift: number | null;
  created_at: Generated<number>;
}

export interface PlayerConnectRow {
  id: Generated<number>;
  provider: Generated<string>;
  connect_id: string;
  player_id: number;
  created_at: Generated<number>;
  by_game_server: Generated<number>;
  unconfirmed: Generated<number>;
}

export interface ForumTicketRow {
  ticket_hash: string;
  provider: Generated<string>;
  connect_id: string;
  profile_name: string | null;
  created_at: Generated<number>;
  expires_at: Generated<number>;
  used_at: number | null;
}

export interface ForumAccountRow {
  player_id: number;
  password_hash: string;
}

export interface ChatRow {
  id: Generated<number>;
  server_id: number;
  account: Generated<string>;
  role: Generated<string>;
  channel: Generated<string>;
  content: string;
  sent_at: number | null;
  received_at: Generated<number>;
  /** On SQLite, 1 until the search indexes contain the line, see chat-lines.ts. */
  unindexed: Generated<number>;
}

/** On MariaDB and MySQL, a line by its role or channel. */
export interface ChatNameRow {
  field: 'role' | 'channel';
  name: string;
  line_at: number;
  line_id: number;
}

export interface AuditRow {
  id: string;
  at: Generated<number>;
  actor: string;
  via: string;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  server_id: number | null;
  reason: string | null;
  /** JSON text of what changed, without secrets; so is `after`. */
  before: string | null;
  after: string | null;
  ip: string | null;
  request_id: string | null;
}

export interface PlayerLoginRow {
  id: Generated<number>;
  player_id: number;
  at: Generated<number>;
  kind: string;
  code: string | null;
  server_id: number | null;
  ip: Generated<string>;
  agent: Generated<string>;
}

export interface PlayerLoginJournalRow {
  id: Generated<number>;
  /** JSON list of logins. */
  logins: string;
  created_at: Generated<number>;
}

export interface DayStatRow {
  name: string;
  day: string;
  server_id: Generated<number>;
  part: Generated<number>;
  n: Generated<number>;
}

export interface StatCursorRow {
  source: string;
  position: Generated<number>;
  after_id: Generated<string>;
  time_zone: Generated<string>;
}

export interface JobLeaseRow {
  job: string;
  owner: Generated<string>;
  expires_at: Generated<number>;
}

export interface OperatorRow {
  id: Generated<number>;
  name: string;
  role: string;
  zones: string | null;
  status: Generated<string>;
  password_hash: string | null;
  invitation_hash: string | null;
  invited_until: number | null;
  last_login_at: number | null;
  last_login_ip: string | null;
  /** Addresses of earlier logins, newest first, as JSON. */
  login_ips: string | null;
  revision: Generated<number>;
  created_at: Generated<number>;
}

export interface OperatorSessionRow {
  token_hash: string;
  operator_id: number;
  created_at: Generated<number>;
  last_seen_at: Generated<number>;
  ip: string;
}

export interface OperatorKeyRow {
  id: Generated<number>;
  name: string;
  key_hash: string;
  role: string;
  zones: string | null;
  created_by: string;
  /** The operator who made it; null where it was made on the command line. */
  operator_id: number | null;
  created_at: Generated<number>;
  expires_at: number | null;
  last_used_at: number | null;
}

export interface TwoFactorRow {
  owner_kind: string;
  owner_id: number;
  secret: string;
  confirmed_at: number | null;
  last_step: Generated<number>;
  created_at: Generated<number>;
}

export interface LoginChallengeRow {
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
}

export interface RecoveryCodeRow {
  owner_kind: string;
  owner_id: number;
  code_hash: string;
}

export interface PlayerNoteRow {
  id: Generated<number>;
  player_id: number;
  text: string;
  by: string;
  at: Generated<number>;
}

/** An override of a setting, in force until `until`. */
export interface ControlRow {
  name: string;
  /** JSON text. */
  value: string;
  until: number | null;
  actor: Generated<string>;
  at: Generated<number>;
  reason: string | null;
}

export interface DenyEntryRow {
  id: Generated<number>;
  entry: string;
  until: number | null;
  actor: Generated<string>;
  at: Generated<number>;
  reason: string | null;
}

export interface AnnouncementRow {
  id: Generated<number>;
  title: string;
  body: string;
  level: Generated<string>;
  /** NULL: for all languages. */
  language: string | null;
  starts_at: number | null;
  ends_at: number | null;
  created_at: Generated<number>;
  kind: Generated<string>;
  pinned: Generated<number>;
  summary: Generated<string>;
}

export interface SiteSettingRow {
  name: string;
  /** JSON text; NULL for a picture. */
  value: string | null;
  /** Hash of a picture. */
  file: string | null;
  actor: Generated<string>;
  at: Generated<number>;
}

export interface SiteFileRow {
  hash: string;
  type: string;
  width: Generated<number>;
  height: Generated<number>;
  bytes: Generated<number>;
  content: Uint8Array;
  created_at: Generated<number>;
  /** When the last setting that names it was changed; NULL while one does. */
  unused_since: number | null;
}

export interface RevokedTokenRow {
  token_id: string;
  revoked_at: Generated<number>;
  expires_at: number;
}

export interface ErasedNameRow {
  name_hash: string;
}

export interface WebhookRow {
  id: Generated<number>;
  url: string;
  /** JSON list. */
  events: string;
  description: Generated<string>;
  format: Generated<string>;
  /** NULL: the default of the service. */
  language: string | null;
  paused: Generated<number>;
  /** Sealed. */
  secret: Generated<string>;
  previous_secret: string | null;
  previous_until: number | null;
  created_at: Generated<number>;
  /** Set until a sweep has deleted the deliveries. */
  removed_at: number | null;
}

export interface WebhookDeliveryRow {
  id: Generated<number>;
  webhook_id: number;
  event_id: string;
  type: string;
  body: string;
  player_id: number | null;
  state: Generated<string>;
  attempts: Generated<number>;
  /** Due from then on. A claim moves it ahead, so that the row of a killed process is due again. */
  next_at: Generated<number>;
  claim: string | null;
  status: number | null;
  answer: string | null;
  error: string | null;
  duration_ms: number | null;
  /** The request that caused the event. */
  request_id: string | null;
  traceparent: string | null;
  created_at: Generated<number>;
  finished_at: number | null;
}

export interface WatchStateRow {
  name: string;
  value: string;
}

/** What the last import found in a source of old accounts. */
export interface ImportSourceRow {
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
}

export interface MigrationRow {
  name: string;
  applied_at: Generated<number>;
}

export interface MigrationLockRow {
  id: number;
  owner: string | null;
  expires_at: Generated<number>;
}
