/** Routes of the contract that the service does not declare yet. */

interface Declared {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
  readonly answer: unknown;
}

const declare = <D extends Declared>(method: string, path: string) =>
  ({ method, path }) as { method: string; path: string; types?: D };

type PageQuery = { limit?: number; cursor?: string };
type Audited = { audit_id: string | null };
type Next = { next: string | null };
type Reason = { reason: string };
type PlayerParams = { player_id: string };
type ZoneParams = { server_id: string };
type Span = { from?: string; to?: string };

export interface DashboardDay {
  day: string;
  registrations: number;
  logins: number;
  players: number;
  entries: number;
  withdrawn: { done: number; amount: number; failed: number; unknown: number };
  legacy_checks: number;
}
export interface Dashboard {
  days: DashboardDay[];
  now: {
    registrations: number;
    cap: number;
    withdrawals_open: number;
    withdrawals_unknown: number;
    zones_down: number;
  };
}
export interface Registrations {
  day: string;
  cap: number;
  count: number;
  by_hour: number[];
  by_promoter: { agent_id: number | null; name: string | null; count: number }[];
  by_block: { block: string; count: number }[];
}
export interface Legacy {
  days: { day: string; accounts: number; zones: { server_id: number | null; accounts: number }[] }[];
  last: { account: string; player_id: number; seen_at: string; server_id: number | null }[];
}

export interface ListedPlayer {
  player_id: number;
  account: string;
  email: string | null;
  status: string;
  created_at: string;
  last_login_at: string | null;
  last_server_id: number | null;
  agent_id: number | null;
}
export interface PlayerLogin {
  at: string;
  kind: 'login' | 'register' | 'forum' | 'enter' | 'refused';
  code: string | null;
  server_id: number | null;
  ip: string | null;
  agent: string | null;
}
export interface PlayerDetail extends ListedPlayer {
  ban: { reason: string | null; until: string | null } | null;
  two_factor: boolean;
  bindings: { provider: string; connect_id: string; created_at: string }[];
  notes: { id: number; at: string; by: string; text: string }[];
  logins: PlayerLogin[];
  withdrawals: ListedWithdrawal[];
  same_address: ListedPlayer[];
}

export type WithdrawState = 'accepted' | 'sending' | 'done' | 'refused' | 'failed' | 'unknown';
type Settled = 'done' | 'failed';
interface Proposal {
  state: Settled;
  by: string;
  at: string;
}
export interface ListedWithdrawal {
  id: string;
  state: WithdrawState;
  server_id: number;
  player_id: number;
  account: string | null;
  role: string;
  role_id: number | null;
  amount: number;
  result_code: string | null;
  balance_before: number | null;
  balance_after: number | null;
  proposed: Proposal | null;
  created_at: string;
  updated_at: string;
}
export interface Exchange {
  at: string;
  why: string;
  status: number | null;
  answer: string | null;
}
export interface WithdrawDetail extends ListedWithdrawal {
  two_person: boolean;
  player: { player_id: number; account: string; email: string; status: string } | null;
  gm_answer: Exchange | null;
  receipt: Exchange | null;
  role_withdrawals: ListedWithdrawal[];
  events: {
    seq: number;
    at: string;
    from_state: WithdrawState | null;
    to_state: WithdrawState;
    why: string;
    actor: string;
    detail: unknown;
  }[];
}
export interface ZoneReconciliation {
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
  reconciled_at: string;
}

export type ZoneStatus = 'open' | 'new' | 'busy' | 'full' | 'maintenance' | 'closed';
export interface AdminZone {
  server_id: number;
  name: string;
  address: string;
  port: number;
  status: ZoneStatus;
  sort: number;
  opened_at: string | null;
  message: string | null;
  gm_url: string | null;
  database_url: string | null;
  merged_into: number | null;
  maintenance_until: string | null;
  online: boolean | null;
  entries_today: number;
  withdrawals_unknown: number;
}
export interface ChangedZone {
  name?: string;
  address?: string;
  port?: number;
  status?: ZoneStatus;
  sort?: number;
  opened_at?: string | null;
  message?: string | null;
  gm_url?: string | null;
  database_url?: string | null;
  maintenance_until?: string | null;
  reason?: string;
}
export interface ZoneCheck {
  check: string;
  result: 'ok' | 'failed' | 'skipped';
  detail: string;
}

export interface ChatLine {
  id: string;
  at: string;
  server_id: number;
  channel: string;
  account: string;
  role: string;
  content: string;
}

export interface Promoter {
  agent_id: number;
  name: string;
  status: 'active' | 'closed';
  registrations: number;
  entered: number;
  returned: number;
  addresses: number;
  withdrawn: number;
}

export interface ListedControl {
  name: 'day_max_reg' | 'withdraw.enabled';
  value: number | boolean | null;
  setting: number | boolean;
  until: string | null;
  by: string | null;
  at: string | null;
  reason: string | null;
}
export interface ListedDenyEntry {
  id: number;
  entry: string;
  until: string | null;
  by: string;
  at: string;
  reason: string | null;
}
export interface AnnouncementRecord {
  id: number;
  title: string;
  body: string;
  level: 'info' | 'warning';
  language: 'zh-CN' | 'en' | null;
  from: string | null;
  until: string | null;
  created_at: string;
}
type AnnouncementBody = Omit<AnnouncementRecord, 'id' | 'created_at'>;
export interface AuditRecord {
  id: string;
  at: string;
  actor: string;
  via: 'console' | 'key' | 'cli' | 'service';
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  server_id: number | null;
  reason: string | null;
  before: unknown;
  after: unknown;
  ip: string | null;
  request_id: string | null;
}
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
  fix?: string;
}
export interface ListedSetting {
  name: string;
  value: unknown;
  source: 'default' | 'file' | 'environment' | 'control';
}

const players = '/api/admin/players';
const withdrawals = '/api/admin/withdrawals';
const zones = '/api/admin/zones';

export const pendingRoutes = {
  dashboard: declare<{ query: { days?: number; server_id?: number }; answer: Dashboard }>(
    'GET',
    '/api/admin/dashboard',
  ),
  registrations: declare<{ query: { day?: string }; answer: Registrations }>(
    'GET',
    '/api/admin/registrations',
  ),
  legacy: declare<{ answer: Legacy }>('GET', '/api/admin/legacy'),

  listPlayers: declare<{
    query: PageQuery & { q?: string; status?: string; agent_id?: number };
    answer: { players: ListedPlayer[] } & Next;
  }>('GET', players),
  showPlayer: declare<{ params: PlayerParams; answer: PlayerDetail }>('GET', `${players}/:player_id`),
  banPlayer: declare<{ params: PlayerParams; body: Reason & { until?: string }; answer: Audited }>(
    'POST',
    `${players}/:player_id/ban`,
  ),
  unbanPlayer: declare<{ params: PlayerParams; body: Reason; answer: Audited }>(
    'POST',
    `${players}/:player_id/unban`,
  ),
  signOutPlayer: declare<{ params: PlayerParams; body: object; answer: Audited }>(
    'POST',
    `${players}/:player_id/sign_out`,
  ),
  resetPlayerPassword: declare<{
    params: PlayerParams;
    body: Reason;
    answer: Audited & { temporary_password: string };
  }>('POST', `${players}/:player_id/reset_password`),
  setPlayerEmail: declare<{ params: PlayerParams; body: Reason & { email: string }; answer: Audited }>(
    'POST',
    `${players}/:player_id/email`,
  ),
  addPlayerNote: declare<{ params: PlayerParams; body: { text: string }; answer: Audited }>(
    'POST',
    `${players}/:player_id/notes`,
  ),

  listZones: declare<{ query: PageQuery; answer: { zones: AdminZone[] } & Next }>('GET', zones),
  addZone: declare<{
    body: ChangedZone & { server_id: number; name: string; address: string; port: number };
    answer: Audited & { server_id: number };
  }>('POST', zones),
  setZone: declare<{ params: ZoneParams; body: ChangedZone; answer: Audited & AdminZone }>(
    'PATCH',
    `${zones}/:server_id`,
  ),
  setZoneStatus: declare<{
    body: Reason & { server_ids: number[]; status: ZoneStatus; message?: string; until?: string };
    answer: Audited & { zones: (Audited & { server_id: number; status: ZoneStatus })[] };
  }>('POST', `${zones}/status`),
  testZone: declare<{ params: ZoneParams; answer: { checks: ZoneCheck[] } }>(
    'POST',
    `${zones}/:server_id/test`,
  ),
  mergeZone: declare<{
    params: ZoneParams;
    body: Reason & { into: number; dry_run?: boolean };
    answer: Audited & {
      server_id: number;
      into: number;
      dry_run: boolean;
      players: number;
      withdrawals: number;
      open_withdrawals: number;
    };
  }>('POST', `${zones}/:server_id/merge`),

  listWithdrawals: declare<{
    query: PageQuery & Span & { state?: WithdrawState; server_id?: number; player_id?: number };
    answer: { withdrawals: ListedWithdrawal[] } & Next;
  }>('GET', withdrawals),
  showWithdrawal: declare<{ params: { id: string }; answer: WithdrawDetail }>('GET', `${withdrawals}/:id`),
  settleWithdrawal: declare<{
    params: { id: string };
    body: Reason & { state: Settled };
    answer: Audited & { state: WithdrawState; proposed: Proposal | null };
  }>('POST', `${withdrawals}/:id/settle`),
  withdrawReceipt: declare<{
    params: { id: string };
    body: object;
    answer: Audited & {
      state: WithdrawState;
      receipt: 'executed' | 'not_executed' | 'unreadable' | 'not_offered';
      amount: number | null;
      why: string;
      status: number | null;
      answer: string | null;
    };
  }>('POST', `${withdrawals}/:id/receipt`),
  reconciliation: declare<{ query: { day?: string }; answer: { zones: ZoneReconciliation[] } }>(
    'GET',
    '/api/admin/reconciliation',
  ),

  listChat: declare<{
    query: PageQuery &
      Span & { server_id?: number; account?: string; role?: string; channel?: string; q?: string };
    answer: { chat: ChatLine[] } & Next;
  }>('GET', '/api/admin/chat'),
  chatContext: declare<{ params: { id: string }; answer: { chat: ChatLine[] } }>(
    'GET',
    '/api/admin/chat/:id/context',
  ),

  listPromoters: declare<{ query: PageQuery & Span; answer: { promoters: Promoter[] } & Next }>(
    'GET',
    '/api/admin/promoters',
  ),
  showPromoter: declare<{ params: { agent_id: number }; query: Span; answer: Promoter }>(
    'GET',
    '/api/admin/promoters/:agent_id',
  ),
  addPromoter: declare<{ body: { name: string }; answer: Audited & { agent_id: number } }>(
    'POST',
    '/api/admin/promoters',
  ),
  setPromoter: declare<{
    params: { agent_id: number };
    body: { name?: string; status?: 'active' | 'closed' };
    answer: Audited;
  }>('PATCH', '/api/admin/promoters/:agent_id'),

  listControls: declare<{ answer: { controls: ListedControl[]; deny_ip: ListedDenyEntry[] } }>(
    'GET',
    '/api/admin/controls',
  ),
  setControl: declare<{
    params: { name: string };
    body: Reason & { value: number | boolean; until?: string | null };
    answer: Audited;
  }>('PUT', '/api/admin/controls/:name'),
  clearControl: declare<{ params: { name: string }; body: Reason; answer: Audited }>(
    'DELETE',
    '/api/admin/controls/:name',
  ),
  addDenyEntry: declare<{
    body: Reason & { entry: string; until?: string | null };
    answer: Audited & { id: number };
  }>('POST', '/api/admin/controls/deny_ip'),
  removeDenyEntry: declare<{ params: { id: string }; body: Reason; answer: Audited }>(
    'DELETE',
    '/api/admin/controls/deny_ip/:id',
  ),

  listAnnouncements: declare<{ query: PageQuery; answer: { announcements: AnnouncementRecord[] } & Next }>(
    'GET',
    '/api/admin/announcements',
  ),
  addAnnouncement: declare<{ body: AnnouncementBody; answer: Audited & { id: number } }>(
    'POST',
    '/api/admin/announcements',
  ),
  setAnnouncement: declare<{ params: { id: string }; body: Partial<AnnouncementBody>; answer: Audited }>(
    'PATCH',
    '/api/admin/announcements/:id',
  ),
  removeAnnouncement: declare<{ params: { id: string }; answer: Audited }>(
    'DELETE',
    '/api/admin/announcements/:id',
  ),

  listAudit: declare<{
    query: PageQuery &
      Span & {
        actor?: string;
        action?: string;
        subject_kind?: string;
        subject_id?: string;
        server_id?: number;
      };
    answer: { audit: AuditRecord[] } & Next;
  }>('GET', '/api/admin/audit'),
  doctor: declare<{ answer: { findings: Finding[] } }>('GET', '/api/admin/doctor'),
  settings: declare<{ answer: { settings: ListedSetting[] } }>('GET', '/api/admin/settings'),
} as const;

export type PendingRoutes = {
  [N in keyof typeof pendingRoutes]: (typeof pendingRoutes)[N] extends { types?: infer D extends Declared }
    ? D
    : never;
};
