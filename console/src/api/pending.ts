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
type ZoneParams = { server_id: string };

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

const zones = '/api/admin/zones';

export const pendingRoutes = {
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
} as const;

export type PendingRoutes = {
  [N in keyof typeof pendingRoutes]: (typeof pendingRoutes)[N] extends { types?: infer D extends Declared }
    ? D
    : never;
};
