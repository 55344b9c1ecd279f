import type { Generated } from 'kysely';

/** Operators, the site, webhooks, figures, and what the instances share. */
export interface OperationTables {
  operator: {
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
  };

  operator_session: {
    token_hash: string;
    operator_id: number;
    created_at: Generated<number>;
    last_seen_at: Generated<number>;
    ip: string;
  };

  operator_key: {
    id: Generated<number>;
    name: string;
    key_hash: string;
    role: string;
    zones: string | null;
    created_by: string;
    /** The operator who made it; null if it was made on the command line. */
    operator_id: number | null;
    created_at: Generated<number>;
    expires_at: number | null;
    last_used_at: number | null;
  };

  audit: {
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
  };

  /** An override of a setting, in force until `until`. */
  control: {
    name: string;
    /** JSON text. */
    value: string;
    until: number | null;
    actor: Generated<string>;
    at: Generated<number>;
    reason: string | null;
  };

  deny_entry: {
    id: Generated<number>;
    entry: string;
    until: number | null;
    actor: Generated<string>;
    at: Generated<number>;
    reason: string | null;
  };

  announcement: {
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
  };

  site_setting: {
    name: string;
    /** JSON text; NULL for a picture. */
    value: string | null;
    /** Hash of a picture. */
    file: string | null;
    actor: Generated<string>;
    at: Generated<number>;
  };

  site_file: {
    hash: string;
    type: string;
    width: Generated<number>;
    height: Generated<number>;
    bytes: Generated<number>;
    content: Uint8Array;
    created_at: Generated<number>;
    /** When the last setting that names it was changed; NULL while one does. */
    unused_since: number | null;
  };

  webhook: {
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
  };

  webhook_delivery: {
    id: Generated<number>;
    webhook_id: number;
    event_id: string;
    type: string;
    body: string;
    player_id: number | null;
    state: Generated<string>;
    attempts: Generated<number>;
    /** When the delivery is due. A claim postpones it, so that the delivery of a killed process is due again. */
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
  };

  watch_state: {
    name: string;
    value: string;
  };

  agent: {
    agent_id: Generated<number>;
    name: Generated<string>;
    status: Generated<string>;
    created_at: Generated<number>;
  };

  day_counter: {
    name: string;
    day: string;
    n: Generated<number>;
  };

  day_stat: {
    name: string;
    day: string;
    server_id: Generated<number>;
    part: Generated<number>;
    n: Generated<number>;
  };

  stat_cursor: {
    source: string;
    position: Generated<number>;
    after_id: Generated<string>;
    time_zone: Generated<string>;
  };

  used_once: {
    kind: string;
    key: string;
    expires_at: Generated<number>;
  };

  job_lease: {
    job: string;
    owner: Generated<string>;
    expires_at: Generated<number>;
  };

  migration: {
    name: string;
    applied_at: Generated<number>;
  };

  migration_lock: {
    id: number;
    owner: string | null;
    expires_at: Generated<number>;
  };
}
