// Generated from the contract by `npm run generate --workspace client`. Do not edit.

/** Why the service refuses a request. */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_credentials'
  | 'invalid_token'
  | 'second_factor_required'
  | 'address_denied'
  | 'caller_not_allowed'
  | 'account_suspended'
  | 'withdraw_disabled'
  | 'not_found'
  | 'account_not_found'
  | 'server_not_found'
  | 'role_not_found'
  | 'method_not_allowed'
  | 'account_taken'
  | 'email_taken'
  | 'already_bound'
  | 'only_way_in'
  | 'withdraw_in_progress'
  | 'deduction_refused'
  | 'gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid_code'
  | 'invalid_ticket'
  | 'account_required'
  | 'weak_password'
  | 'amount_out_of_range'
  | 'insufficient_balance'
  | 'idempotency_conflict'
  | 'challenge_required'
  | 'too_many_attempts'
  | 'registration_cap_reached'
  | 'internal'
  | 'game_server_unavailable'
  | 'forum_unavailable'
  | 'mail_unavailable'
  | 'server_closed'
  | 'unavailable';

/** The body of every refusal (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: RefusalCode;
  request_id: string;
  errors?: {
    field: string;
    message: string;
  }[];
  /** The record of a withdrawal that was refused. */
  withdraw_id?: string;
  /** Why an account is suspended. */
  reason?: string;
  /** With `account_required` of a forum login: the account that a game server linked. */
  account?: string;
  /** With `challenge_required`: what to solve first, as ALTCHA has it; the solution goes into X-Challenge-Solution. With `second_factor_required`: what to send to /api/login/second_factor together with the code. */
  challenge?: {
    algorithm: string;
    challenge: string;
    salt: string;
    maxnumber: number;
    signature: string;
  } | string;
  /** When a suspension or the closure of a zone ends. */
  until?: string;
}

export interface Announcement {
  id: number;
  title: string;
  /** Plain text; show line breaks. */
  body: string;
  level: 'info' | 'warning';
  language: 'zh-CN' | 'en' | null;
  from: string | null;
  until: string | null;
}

export interface Binding {
  provider: string;
  connect_id: string;
  /** RFC 3339, UTC, milliseconds. */
  bound_at: string;
}

export interface ListedNews {
  id: number;
  title: string;
  /** Empty if there is none. */
  summary: string;
  pinned: boolean;
  /** RFC 3339, UTC, milliseconds. */
  published_at: string;
}

export interface ListedZone {
  /** A game zone. */
  server_id: number;
  name: string;
  address: string;
  port: number;
  status: 'open' | 'new' | 'busy' | 'full' | 'maintenance' | 'closed';
  opened_at: string | null;
  /** The operator’s message about a maintenance. */
  message?: string;
  /** When the maintenance ends automatically. */
  maintenance_until?: string;
  /** Whether the game port answered the last probe. */
  up?: boolean;
}

export interface News {
  id: number;
  title: string;
  /** Empty if there is none. */
  summary: string;
  pinned: boolean;
  /** RFC 3339, UTC, milliseconds. */
  published_at: string;
  /** Rendered from Markdown: no script, no style, no event attribute. */
  body_html: string;
}

export interface OwnAccount {
  account: string;
  email: string | null;
  created_at: string | null;
  last_login_at: string | null;
  two_factor: {
    enabled: boolean;
  };
  /** Unused recovery codes, if two-factor login is on. */
  recovery_codes_left?: number;
  deletion_at: string | null;
  /** False for an account created through the forum that has not set a password. */
  has_password: boolean;
  /** True for an account created through the forum that has not chosen its name. */
  may_choose_name: boolean;
  /** An operator made the password; the player should change it now. */
  password_temporary?: true;
}

export interface OwnLogin {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  kind: 'login' | 'register' | 'forum' | 'enter' | 'refused';
  ip: string;
  /** User-Agent. */
  agent: string;
  server_id: number | null;
}

export interface PublicConfig {
  game: {
    name: string;
  };
  registration: {
    open: boolean;
    code_ttl: number;
  };
  withdraw: {
    enabled: boolean;
    currency: string;
    min: number;
    max: number;
    step: number;
    daily_max: number;
    rate: number;
  };
  forum: {
    enabled: boolean;
    providers: {
      id: string;
      name: string;
    }[];
  };
  client: {
    url: string;
    handoff: 'iframe' | 'redirect';
  };
  site: Site;
}

export interface Role {
  role_id: number;
  name: string;
  level: number;
  /** The amount that can be withdrawn now. */
  balance: number;
  /** Held back in addition to `balance` for a few seconds, because the game may not have saved the last withdrawal yet. */
  settling?: number;
}

export interface Session {
  /** JWT, valid 24 hours; `Authorization: Bearer`. */
  token: string;
  token_type: 'Bearer';
  /** RFC 3339, UTC, milliseconds. */
  expires_at: string;
  account: string;
  server_id: number | null;
  /** This login cancelled the deletion of the account. */
  deletion_cancelled?: true;
  /** An operator made the password; the player should change it now. */
  password_temporary?: true;
}

export interface Site {
  title: string;
  /** a line below the name */
  slogan?: string;
  /** the same for readers of English */
  slogan_en?: string;
  /** colour of links and buttons, `#rrggbb`; contrast of at least 4.5:1 on the dark background of the pages */
  accent?: string;
  /** up to 12 links, each `{label, label_en, url, icon}`; `icon` is download, forum, community, chat, help, video or shop; in the environment as JSON */
  links?: {
    label: string;
    /** For readers of English; `label` by default. */
    label_en?: string;
    /** https:, http:, mailto:, or a path of this service that begins with one `/`. */
    url: string;
    icon?: 'download' | 'forum' | 'community' | 'chat' | 'help' | 'video' | 'shop';
  }[];
  /** plain text at the foot of the pages and mails; line breaks are kept */
  footer?: string;
  /** plain text at the foot for readers of English */
  footer_en?: string;
  /** ICP number, shown as a link to the register */
  icp?: string;
  /** number of the public security register (公安备案), shown as a link to the register */
  police?: string;
  support?: string;
  privacy?: string;
  /** Path of the picture, below `/brand/`. */
  logo?: string;
  /** Path of the picture, below `/brand/`. */
  favicon?: string;
  /** Path of the picture, below `/brand/`. */
  background_wide?: string;
  /** Path of the picture, below `/brand/`. */
  background_tall?: string;
}

export interface WithdrawOutcome {
  withdraw_id: string;
  /** `done`: taken. `refused`, `failed`: nothing was taken. `accepted`, `sending`, `unknown`: the outcome is not known yet. */
  state: 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
  /** A game zone. */
  server_id: number;
  /** Role id (integer) or exact role name. */
  role: number | string;
  amount: number;
  balance_after?: number | null;
  /** The requested zone, if it has been merged into `server_id`. */
  origin_server_id?: number;
}

export interface WithdrawRecord {
  withdraw_id: string;
  /** `done`: taken. `refused`, `failed`: nothing was taken. `accepted`, `sending`, `unknown`: the outcome is not known yet. */
  state: 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
  /** A game zone. */
  server_id: number;
  /** Role name. */
  role: string;
  amount: number;
  role_id: number | null;
  /** RFC 3339, UTC, milliseconds. */
  created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  updated_at: string;
}

/** What each call takes and returns. */
export interface PlayerRoutes {
  /** Log in with account and password */
  login: {
    input: {
      /** Account name, compared without regard to case; or the e-mail address of exactly one account. */
      account: string;
      password: string;
    };
    answer: Session;
  };
  /** Register an account with a code from send_code */
  register: {
    input: {
      /** Promoter ID. Unknown or malformed values are ignored. */
      agent_id?: unknown | undefined;
      /** 4 to 24 letters, digits or underscores; unique, ignoring case. */
      account: string;
      password: string;
      /** E-mail address. */
      email: string;
      /** The six digits from the mail. */
      code: string;
      /** A game zone. */
      server_id?: number | undefined;
      device?: string | undefined;
      os?: string | undefined;
      browse?: string | undefined;
    };
    answer: Session;
  };
  /** Send a verification code by e-mail */
  sendCode: {
    input: {
      /** E-mail address. */
      email: string;
      /** The only purpose for which the code is valid; without it, `register` and `reset`. */
      purpose?: 'register' | 'reset' | 'email' | 'delete' | undefined;
    };
    answer: {
      /** Lifetime of the code in seconds. */
      expires_in: number;
      /** Seconds until another code can be requested. */
      resend_after: number;
    };
  };
  /** Set a new password with a code from send_code and revoke all earlier tokens */
  resetPassword: {
    input: {
      /** E-mail address. */
      email: string;
      /** The six digits from the mail. */
      code: string;
      password: string;
      /** Account name, compared without regard to case. */
      account?: string | undefined;
      /** Also removes the bindings of the account, so that no forum account can log in to it. */
      unbind?: boolean | undefined;
    };
    answer: {
      account: string;
    };
  };
  /** End this session: its token is refused immediately here and within 2 s on other instances */
  logout: {
    input: undefined;
    answer: undefined;
  };
  /** Finish a login that was answered `second_factor_required` */
  loginSecondFactor: {
    input: {
      challenge: string;
      /** The six digits of the authenticator, or a recovery code. */
      code: string;
    };
    answer: Session;
  };
  /** Get the caller’s account */
  ownAccount: {
    input: undefined;
    answer: OwnAccount;
  };
  /** Change the caller’s password and revoke all other tokens */
  changePassword: {
    input: {
      old_password?: string | undefined;
      password: string;
    };
    answer: Session;
  };
  /** Revoke all tokens of the account and return a new one */
  signOutEverywhere: {
    input: undefined;
    answer: Session;
  };
  /** Choose the name of an account created through the forum, once */
  chooseName: {
    input: {
      /** 4 to 24 letters, digits or underscores; unique, ignoring case. */
      account: string;
    };
    answer: Session;
  };
  /** Change the e-mail address with a code of purpose `email` sent to the new address */
  changeEmail: {
    input: {
      /** E-mail address. */
      email: string;
      /** The six digits from the mail. */
      code: string;
      password?: string | undefined;
    };
    answer: OwnAccount;
  };
  /** List the last 50 logins and game entries, newest first */
  ownLogins: {
    input: undefined;
    answer: {
      logins: OwnLogin[];
    };
  };
  /** Start setting up two-factor login */
  beginTotp: {
    input: undefined | {
      password?: string | undefined;
    };
    answer: {
      /** Base32, for authenticator apps. */
      secret: string;
      /** The URI to show as a QR code. */
      otpauth_url: string;
    };
  };
  /** Turn two-factor login on with a first code */
  confirmTotp: {
    input: {
      /** The six digits of the authenticator, or a recovery code. */
      code: string;
    };
    answer: {
      recovery_codes: string[];
    };
  };
  /** Replace the recovery codes of two-factor login; the old ones stop working */
  renewRecoveryCodes: {
    input: {
      /** The six digits of the authenticator, or a recovery code. */
      code: string;
    };
    answer: {
      recovery_codes: string[];
    };
  };
  /** Turn two-factor login off */
  removeTotp: {
    input: {
      password: string;
      /** The six digits of the authenticator, or a recovery code. */
      code: string;
    };
    answer: undefined;
  };
  /** Download everything that is stored about the caller as a JSON file */
  exportAccount: {
    input: undefined;
    answer: Record<string, unknown>;
  };
  /** Have the account erased after some days, with a code of purpose `delete`; a login before then cancels it */
  deleteAccount: {
    input: {
      password?: string | undefined;
      /** The six digits from the mail. */
      code: string;
      /** A code of the authenticator app or a recovery code, if two-factor login is on. */
      second_factor?: string | undefined;
    };
    answer: {
      /** RFC 3339, UTC, milliseconds. */
      deletion_at: string;
    };
  };
  /** Cancel the deletion of the account */
  keepAccount: {
    input: undefined;
    answer: OwnAccount;
  };
  /** List the game zones, ordered for display */
  serverList: {
    input: undefined;
    answer: {
      servers: ListedZone[];
    };
  };
  /** Enter a zone: records the login and returns what the game client needs */
  enterGame: {
    input: {
      /** A game zone. */
      server_id: number;
    };
    answer: {
      account: string;
      /** The token that the game client sends to its game server; it is not a session. */
      token: string;
      server: {
        /** A game zone. */
        server_id: number;
        name: string;
        address: string;
        port: number;
        /** The requested zone, if it has been merged into `server_id`. */
        origin_server_id?: number;
      };
      /** The current zone, if the requested one has been merged into it. */
      server_id?: number;
      /** The requested zone, if it has been merged into `server_id`. */
      origin_server_id?: number;
      /** URL of the game client to open or embed. It names the zone and contains no token. */
      launch_url: string;
    };
  };
  /** List the caller’s roles in a zone with the amounts they can withdraw */
  roles: {
    input: {
      /** A game zone. */
      server_id: number;
    };
    answer: {
      roles: Role[];
      /** The current zone, if the requested one has been merged into it. */
      server_id?: number;
      /** The requested zone, if it has been merged into `server_id`. */
      origin_server_id?: number;
    };
  };
  /** Withdraw currency from a role */
  withdraw: {
    input: {
      /** A game zone. */
      server_id: number;
      /** Role id (integer) or exact role name. */
      role: number | string;
      amount: number;
      /** The six digits of the authenticator, or a recovery code. */
      code?: string | undefined;
    };
    answer: WithdrawOutcome;
  };
  /** List the caller’s withdrawals, newest first */
  withdrawals: {
    input: undefined | {
      limit?: number | undefined;
      /** The `next` of the page before. */
      next?: string | undefined;
      /** Also returns how much of the daily limit is used. */
      include?: 'day' | undefined;
    };
    answer: {
      withdrawals: WithdrawRecord[];
      next: string | null;
      /** The daily limit of the account; present if `include` is `day`. */
      day?: {
        /** The amount withdrawn today, including withdrawals in progress. */
        used: number;
        left: number | null;
      };
    };
  };
  /** Start the login with an identity provider */
  authorize: {
    input: undefined | {
      /** A path of the front end. */
      redirect?: string | undefined;
      /** Identity provider; `forum` by default. */
      provider?: string | undefined;
    };
    answer: never;
  };
  /** Exchange the ticket: log in, bind an account, or register one */
  forumBind: {
    input: {
      ticket: string;
      /** Account name, compared without regard to case. */
      account?: string | undefined;
      password?: string | undefined;
      /** Promoter ID, if an account is created. */
      agent_id?: unknown | undefined;
    };
    answer: Session;
  };
  /** List the caller’s third-party bindings */
  bindings: {
    input: undefined;
    answer: {
      bindings: Binding[];
    };
  };
  /** Remove a binding; refused if it is the only way to log in */
  unbind: {
    input: {
      /** Identity provider; `forum` by default. */
      provider: string;
    };
    answer: {
      bindings: Binding[];
    };
  };
  /** Get the basic game configuration with the withdrawal parameters */
  config: {
    input: undefined;
    answer: PublicConfig;
  };
  /** Get the user agreement, in the reader’s language if available */
  agreement: {
    input: undefined | {
      /** A language tag; without it Accept-Language decides. */
      language?: string | undefined;
    };
    answer: string;
  };
  /** List the current notices, newest first, for readers of one language or of all */
  announcementList: {
    input: undefined | {
      /** A language tag; without it Accept-Language decides, and without both all are listed. */
      language?: string | undefined;
    };
    answer: {
      announcements: Announcement[];
    };
  };
  /** List the news for readers of one language or of all, pinned first, then newest first */
  newsList: {
    input: undefined | {
      /** A language tag; without it Accept-Language decides, and without both all are listed. */
      language?: string | undefined;
      /** Most entries of a page. */
      limit?: number | undefined;
      /** The `next` of the page before. */
      cursor?: string | undefined;
    };
    answer: {
      news: ListedNews[];
      next: string | null;
    };
  };
  /** Show one news entry with its text as HTML */
  news: {
    input: {
      id: string;
    };
    answer: News;
  };
}

export const playerRoutes = {
  login: { method: 'POST', path: '/api/login', body: true, startsSession: true },
  register: { method: 'POST', path: '/api/register', body: true, query: ['agent_id'], startsSession: true },
  sendCode: { method: 'POST', path: '/api/send_code', body: true },
  resetPassword: { method: 'POST', path: '/api/reset_password', body: true },
  logout: { method: 'POST', path: '/api/logout', player: true },
  loginSecondFactor: { method: 'POST', path: '/api/login/second_factor', body: true, startsSession: true },
  ownAccount: { method: 'GET', path: '/api/account', player: true },
  changePassword: { method: 'POST', path: '/api/account/password', player: true, body: true, startsSession: true },
  signOutEverywhere: { method: 'POST', path: '/api/account/sign_out_everywhere', player: true, body: true, startsSession: true },
  chooseName: { method: 'POST', path: '/api/account/name', player: true, body: true, startsSession: true },
  changeEmail: { method: 'POST', path: '/api/account/email', player: true, body: true },
  ownLogins: { method: 'GET', path: '/api/account/logins', player: true },
  beginTotp: { method: 'POST', path: '/api/account/totp', player: true, body: true },
  confirmTotp: { method: 'POST', path: '/api/account/totp/confirm', player: true, body: true },
  renewRecoveryCodes: { method: 'POST', path: '/api/account/totp/recovery_codes', player: true, body: true },
  removeTotp: { method: 'POST', path: '/api/account/totp/remove', player: true, body: true },
  exportAccount: { method: 'GET', path: '/api/account/export', player: true },
  deleteAccount: { method: 'POST', path: '/api/account/delete', player: true, body: true },
  keepAccount: { method: 'POST', path: '/api/account/delete/cancel', player: true, body: true },
  serverList: { method: 'GET', path: '/api/server/list' },
  enterGame: { method: 'POST', path: '/api/enter_game', player: true, body: true },
  roles: { method: 'GET', path: '/api/game/roles', player: true },
  withdraw: { method: 'POST', path: '/api/game/withdraw', player: true, body: true },
  withdrawals: { method: 'GET', path: '/api/game/withdrawals', player: true },
  authorize: { method: 'GET', path: '/api/forumauth/authorize', link: true },
  forumBind: { method: 'POST', path: '/api/forumauth/bind', body: true, startsSession: true },
  bindings: { method: 'GET', path: '/api/bind', player: true },
  unbind: { method: 'DELETE', path: '/api/bind/:provider', player: true },
  config: { method: 'GET', path: '/api/config' },
  agreement: { method: 'GET', path: '/api/misc/agree', text: true },
  announcementList: { method: 'GET', path: '/api/announcement/list' },
  newsList: { method: 'GET', path: '/api/news' },
  news: { method: 'GET', path: '/api/news/:id' },
} as const;

