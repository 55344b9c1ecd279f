/**
 * What happens to each column when a player is erased. A new column needs a decision here, and `erasureStore` (and `exportStore`)
 * must agree with it.
 *
 * `erased`: blanked or deleted. `kept`: reveals nothing about a person without the name. `none`: contains nothing about a player.
 */
export type Fate = 'erased' | 'kept' | 'none';

const all = (fate: Fate, ...columns: string[]): Record<string, Fate> =>
  Object.fromEntries(columns.map((column) => [column, fate]));

export const fates: Readonly<Record<string, Readonly<Record<string, Fate>>>> = {
  player: {
    ...all('erased', 'account', 'account_key', 'password_hash', 'email', 'email_key', 'ip', 'device', 'os'),
    ...all('erased', 'password_argon2'),
    ...all('erased', 'browse', 'ban_reason', 'last_login_at', 'last_login_ip', 'legacy_seen_at', 'reset_at'),
    ...all('erased', 'deletion_at', 'name_chosen_at', 'withdrawal_told_at', 'two_factor', 'kept_token'),
    ...all('erased', 'muted_until', 'mute_reason', 'password_temporary'),
    ...all('kept', 'id', 'server_id', 'agent_id', 'token_version', 'status', 'banned_until', 'created_at'),
    ...all('erased', 'imported_hash', 'imported_email', 'imported_status'),
    ...all('kept', 'last_server_id', 'login_count', 'erased_at', 'origin'),
  },
  player_login: all('erased', 'id', 'player_id', 'at', 'kind', 'code', 'server_id', 'ip', 'agent'),
  // Moved into player_login within a minute, and deleted there.
  player_login_journal: all('erased', 'id', 'logins', 'created_at'),
  player_zone: all('erased', 'player_id', 'server_id'),
  player_event: all('erased', 'id', 'player_id', 'at', 'kind', 'detail', 'ip', 'agent'),
  player_note: all('erased', 'id', 'player_id', 'text', 'by', 'at'),
  player_connect_threeparty: {
    ...all('erased', 'id', 'provider', 'connect_id', 'player_id', 'created_at'),
    ...all('erased', 'by_game_server', 'unconfirmed'),
  },
  forum_account: all('erased', 'player_id', 'password_hash'),
  forum_ticket: {
    ...all('erased', 'ticket_hash', 'provider', 'connect_id', 'profile_name', 'created_at', 'expires_at'),
    ...all('erased', 'used_at'),
  },
  entry_ticket: {
    ...all('erased', 'ticket_hash', 'player_id', 'server_id', 'token_version', 'created_at', 'expires_at'),
    ...all('erased', 'used_at', 'used_by', 'session_id'),
  },
  webhook_delivery: {
    ...all('erased', 'id', 'webhook_id', 'event_id', 'type', 'body', 'player_id', 'state', 'attempts'),
    ...all('erased', 'next_at', 'claim', 'status', 'answer', 'error', 'duration_ms', 'created_at'),
    ...all('erased', 'finished_at', 'request_id', 'traceparent'),
  },
  verify: {
    ...all('erased', 'id', 'email', 'code_hash', 'created_at', 'expires_at', 'attempts', 'used_at'),
    ...all('erased', 'purpose', 'usual_attempts'),
  },
  wrong_code: all('erased', 'day', 'email', 'n', 'usual_n', 'told'),
  two_factor: all('erased', 'owner_kind', 'owner_id', 'secret', 'confirmed_at', 'last_step', 'created_at'),
  login_challenge: {
    ...all('erased', 'challenge_hash', 'player_id', 'token_version', 'kind', 'provider', 'connect_id'),
    ...all('erased', 'attempts', 'created_at', 'expires_at', 'used_at'),
  },
  recovery_code: all('erased', 'owner_kind', 'owner_id', 'code_hash'),
  chat: {
    ...all('erased', 'id', 'server_id', 'account', 'role', 'channel', 'content', 'sent_at', 'received_at'),
    ...all('erased', 'unindexed'),
  },
  chat_name: all('erased', 'field', 'name', 'line_at', 'line_id'),
  // Money: kept under the id, with the role known to the game.
  withdraw: {
    ...all('kept', 'id', 'player_id', 'request_key', 'fingerprint', 'server_id', 'role', 'role_id'),
    ...all('kept', 'role_name', 'amount', 'state', 'result_code', 'open_key', 'day', 'balance_before'),
    ...all('kept', 'balance_after', 'claim_token', 'proposed_state', 'proposed_by', 'proposed_at'),
    ...all('kept', 'proposed_via'),
    ...all('kept', 'created_at', 'updated_at', 'origin_server_id', 'gm_url', 'database_url'),
  },
  withdraw_event: all('kept', 'withdraw_id', 'seq', 'from_state', 'to_state', 'why', 'actor', 'detail', 'at'),
  withdraw_day: all('kept', 'player_id', 'day', 'amount', 'refused'),
  // Operators' actions are kept, but not the player's name in them.
  audit: {
    ...all('erased', 'reason', 'before', 'after'),
    ...all('kept', 'id', 'at', 'actor', 'via', 'action', 'subject_kind', 'subject_id', 'server_id', 'ip'),
    ...all('kept', 'request_id'),
  },
  // A keyed hash.
  erased_name: all('kept', 'name_hash'),
  // Token ids and signature hashes, for a day at most.
  revoked_token: all('none', 'token_id', 'revoked_at', 'expires_at'),
  used_once: all('none', 'kind', 'key', 'expires_at'),
  agent: all('none', 'agent_id', 'name', 'status', 'created_at'),
  day_counter: all('none', 'name', 'day', 'n'),
  day_stat: all('none', 'name', 'day', 'server_id', 'part', 'n'),
  stat_cursor: all('none', 'source', 'position', 'after_id', 'time_zone'),
  job_lease: all('none', 'job', 'owner', 'expires_at'),
  reconciliation: {
    ...all('none', 'day', 'server_id', 'done', 'done_amount', 'refused', 'failed', 'open', 'unknown'),
    ...all('none', 'unknown_amount', 'receipts', 'drift', 'created_at'),
  },
  server: {
    ...all('none', 'server_id', 'name', 'address', 'port', 'status', 'sort', 'opened_at', 'message'),
    ...all('none', 'gm_url', 'database_url', 'merged_into', 'maintenance_until', 'revision'),
    ...all('none', 'gm_failing_since', 'gm_failure', 'gm_receipts', 'gm_signature_version'),
  },
  zone_key: all('none', 'key_id', 'server_id', 'secret', 'created_by', 'created_at'),
  // About operators; an address that one of them denied is not known to be a player's.
  operator: {
    ...all('none', 'id', 'name', 'role', 'zones', 'status', 'password_hash', 'invitation_hash'),
    ...all('none', 'invited_until', 'last_login_at', 'last_login_ip', 'login_ips', 'revision', 'created_at'),
  },
  operator_session: all('none', 'token_hash', 'operator_id', 'created_at', 'last_seen_at', 'ip'),
  operator_key: {
    ...all('none', 'id', 'name', 'key_hash', 'role', 'zones', 'created_by', 'created_at', 'expires_at'),
    ...all('none', 'last_used_at', 'operator_id'),
  },
  control: all('none', 'name', 'value', 'until', 'actor', 'at', 'reason'),
  deny_entry: all('none', 'id', 'entry', 'until', 'actor', 'at', 'reason'),
  announcement: {
    ...all('none', 'id', 'title', 'body', 'level', 'language', 'starts_at', 'ends_at', 'created_at'),
    ...all('none', 'kind', 'pinned', 'summary'),
  },
  site_setting: all('none', 'name', 'value', 'file', 'actor', 'at'),
  site_file: {
    ...all('none', 'hash', 'type', 'width', 'height', 'bytes', 'content', 'created_at', 'unused_since'),
  },
  webhook: {
    ...all('none', 'id', 'url', 'events', 'description', 'format', 'language', 'paused', 'secret'),
    ...all('none', 'previous_secret', 'previous_until', 'created_at', 'removed_at'),
  },
  watch_state: all('none', 'name', 'value'),
  import_source: {
    ...all('none', 'digest', 'source', 'accounts', 'kept', 'conflicts', 'refused', 'complete', 'watch'),
    ...all('none', 'changed_at', 'at'),
  },
  migration: all('none', 'name', 'applied_at'),
  migration_lock: all('none', 'id', 'owner', 'expires_at'),
};
