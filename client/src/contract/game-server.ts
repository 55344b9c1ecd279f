// Generated from the contract by `npm run generate --workspace client`. Do not edit.

export interface ChatRecord {
  /** A game zone. */
  server_id: number;
  role: string;
  account?: string;
  channel?: string;
  content: string;
  sent_at?: string;
}

/** What each call takes and returns. */
export interface GameServerRoutes {
  /** Verify a token */
  checkPlayer: {
    input: {
      /** Account name, compared without regard to case. */
      account: string;
      /** A JWT, a ticket, or the old md5 token of game clients. */
      token: string;
      /** The zone that asks; a ticket for another zone is refused. */
      server_id?: number | undefined;
    };
    answer: {
      valid: true;
      account: string;
      player_id: number;
      format: 'legacy' | 'jwt' | 'ticket';
      /** The zone of a ticket. */
      server_id?: number;
      /** Present if an operator has muted the player: until then the player may not chat. */
      muted_until?: string;
      /** Why the player is muted; empty if the operator gave no reason. */
      mute_reason?: string;
    };
  };
  /** Report one chat record or a batch; stores all or none */
  reportChat: {
    input: ChatRecord | {
      records: ChatRecord[];
    };
    answer: {
      accepted: number;
    };
  };
  /** Bind a third-party account to a local one; game servers only */
  bindAccount: {
    input: {
      /** Account name, compared without regard to case. */
      account: string;
      /** The identifier of the account at the identity provider. */
      connect_id: string;
      /** Identity provider; `forum` by default. */
      provider?: string | undefined;
    };
    answer: {
      account: string;
      connect_id: string;
    };
  };
  /** Find a local account by connect_id; game servers only */
  link: {
    input: {
      /** The identifier of the account at the identity provider. */
      connect_id: string;
      /** Identity provider; `forum` by default. */
      provider?: string | undefined;
    };
    answer: {
      account: string;
    };
  };
}

export const gameServerRoutes = {
  checkPlayer: { method: 'POST', path: '/api/check', body: true },
  reportChat: { method: 'POST', path: '/api/report/chat', body: true },
  bindAccount: { method: 'POST', path: '/api/bind_account', body: true, signed: true },
  link: { method: 'GET', path: '/api/link', signed: true },
} as const;

/** The `data` of each webhook event. */
export interface WebhookData {
  'player.registered': {
    player_id: number;
    account: string;
    server_id: number | null;
    agent_id: number | null;
  };
  'player.banned': {
    player_id: number;
    account: string;
    reason: string | null;
    until: string | null;
    by: string;
  };
  'player.unbanned': {
    player_id: number;
    account: string;
    reason: string | null;
    by: string;
  };
  'player.deleted': {
    player_id: number;
  };
  'withdraw.done': {
    id: string;
    player_id: number;
    /** A game zone. */
    server_id: number;
    role_id: number | null;
    role_name: string | null;
    amount: number;
    state: 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
    result_code: string | null;
  };
  'withdraw.failed': {
    id: string;
    player_id: number;
    /** A game zone. */
    server_id: number;
    role_id: number | null;
    role_name: string | null;
    amount: number;
    state: 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
    result_code: string | null;
  };
  'withdraw.unknown': {
    id: string;
    player_id: number;
    /** A game zone. */
    server_id: number;
    role_id: number | null;
    role_name: string | null;
    amount: number;
    state: 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
    result_code: string | null;
  };
  'zone.status': {
    /** A game zone. */
    server_id: number;
    name: string;
    status: 'open' | 'new' | 'busy' | 'full' | 'maintenance' | 'closed';
    previous: 'open' | 'new' | 'busy' | 'full' | 'maintenance' | 'closed';
    message: string | null;
    maintenance_until: string | null;
    by: string;
  };
  'zone.down': {
    /** A game zone. */
    server_id: number;
    name: string;
  };
  'zone.up': {
    /** A game zone. */
    server_id: number;
    name: string;
    /** RFC 3339, UTC, milliseconds. */
    down_since: string;
  };
  'operator.login_failed': {
    count: number;
    /** RFC 3339, UTC, milliseconds. */
    from: string;
    /** RFC 3339, UTC, milliseconds. */
    to: string;
    operators: {
      name: string;
      count: number;
    }[];
  };
  'doctor.failing': {
    failing: {
      check: string;
      detail: string;
    }[];
  };
  /** Sent by an operator's test. */
  'webhook.test': { webhook_id: number };
}
