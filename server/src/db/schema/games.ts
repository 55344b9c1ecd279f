import type { Generated } from 'kysely';

/** Zones, withdrawals and chat. */
export interface GameTables {
  server: {
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
  };

  zone_key: {
    key_id: string;
    server_id: number;
    secret: string;
    created_by: Generated<string>;
    created_at: Generated<number>;
  };

  entry_ticket: {
    ticket_hash: string;
    player_id: number;
    server_id: number;
    token_version: Generated<number>;
    created_at: Generated<number>;
    expires_at: Generated<number>;
    used_at: number | null;
    used_by: string | null;
    session_id: string | null;
  };

  withdraw: {
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
    /** The zone's addresses when it was accepted; NULL in rows from before they were stored. */
    gm_url: string | null;
    database_url: string | null;
    /** The outcome that one operator proposed, until a second one confirms it. */
    proposed_state: string | null;
    proposed_by: string | null;
    proposed_at: number | null;
    /** `console` or `cli`. */
    proposed_via: string | null;
    created_at: Generated<number>;
    updated_at: Generated<number>;
  };

  withdraw_event: {
    withdraw_id: string;
    seq: number;
    from_state: string | null;
    to_state: string;
    why: Generated<string>;
    actor: Generated<string>;
    detail: string | null;
    at: Generated<number>;
  };

  withdraw_day: {
    player_id: number;
    day: string;
    amount: Generated<number>;
    refused: Generated<number>;
  };

  reconciliation: {
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
  };

  chat: {
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
  };

  /** On MariaDB and MySQL, a line by its role or channel. */
  chat_name: {
    field: 'role' | 'channel';
    name: string;
    line_at: number;
    line_id: number;
  };
}
