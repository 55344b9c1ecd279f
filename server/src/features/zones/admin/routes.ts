import { type AdminZone, adminRoutes, type ChangedZone } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { type OperatorIdentity, refuseOtherZone } from '../../../http/operator.ts';
import { Refusal } from '../../../refusal.ts';
import { parseTime, timeText } from '../../../runtime/time.ts';
import type { ZoneAdmin } from './module.ts';
import { readable, type ZoneOverview } from './readable.ts';
import type { ZoneFields } from './store.ts';
import type { TestZone } from './test.ts';

/** These decide which game server is trusted, so operators limited to some zones may not change them. */
const ADDRESSES = [
  'address',
  'port',
  'gm_url',
  'database_url',
  'gm_receipts',
  'gm_signature_version',
] as const;

interface ZoneAdminRouteDeps {
  readonly zones: ZoneAdmin;
  readonly test: TestZone;
  /** Makes a change visible on this instance immediately. */
  readonly refresh: () => Promise<void>;
}

export function zoneAdminRoutes(app: FastifyInstance, { zones, test, refresh }: ZoneAdminRouteDeps): void {
  mountList(app, adminRoutes.listZones, {
    plural: 'zones',
    shape: ['number'],
    find: async ({ operator }, { limit, after }) =>
      zones.describe(await zones.page({ limit, before: after?.[0], only: operator.zones })),
    positionOf: ({ server_id }) => [server_id],
    shown,
  });
  mount(app, adminRoutes.addZone, async ({ body, operator }) => {
    if (operator.zones !== null) throw new Refusal('permission_denied');
    const { server_id, name, address, port, reason, ...rest } = body;
    const zone = { ...fieldsOf(rest), server_id, name, address, port };
    const [audit_id = ''] = await zones.add(operator.actor, { zones: [zone], reason }).finally(refresh);
    return answered(201, { server_id, audit_id });
  });
  mount(app, adminRoutes.setZone, async ({ params, body, operator }) => {
    const { reason, ...fields } = body;
    const serverId = ownZone(operator, params);
    if (operator.zones !== null && ADDRESSES.some((field) => fields[field] !== undefined))
      throw new Refusal('permission_denied', { variant: 'addresses' });
    const order = { serverId, fields: fieldsOf(fields), reason };
    const changed = await zones.set(operator.actor, order).finally(refresh);
    const [zone] = await zones.describe([changed.zone]);
    return { ...shown(zone as ZoneOverview), audit_id: changed.auditId };
  });
  mount(app, adminRoutes.setZoneStatus, async ({ body, operator }) => {
    const { server_ids: serverIds, until, ...rest } = body;
    for (const serverId of serverIds) refuseOtherZone(operator, serverId);
    const order = { ...rest, serverIds, until: parseTime(until) };
    const changed = await zones.setStatus(operator.actor, order).finally(refresh);
    return {
      zones: changed.map(({ zone: { server_id, status }, auditId }) => ({
        server_id,
        status,
        audit_id: auditId,
      })),
      audit_id: changed.find(({ auditId }) => auditId !== null)?.auditId ?? null,
    };
  });
  mount(app, adminRoutes.testZone, async ({ params, operator }) => ({
    checks: await test({ serverId: ownZone(operator, params) }),
  }));
  mount(app, adminRoutes.mergeZone, async ({ params, body, operator }) => {
    const serverId = ownZone(operator, params);
    const { into, reason, dry_run: dryRun = false } = body;
    refuseOtherZone(operator, into);
    const merged = await zones.merge(operator.actor, { serverId, into, reason, dryRun }).finally(refresh);
    return {
      server_id: serverId,
      into,
      dry_run: dryRun,
      players: merged.players,
      withdrawals: merged.withdrawals,
      open_withdrawals: merged.openWithdrawals,
      audit_id: merged.auditId,
    };
  });
}

/** Returns the zone in the path if the operator is responsible for it. Anything but a number is not found. */
function ownZone(operator: OperatorIdentity, { server_id }: { server_id: string }): number {
  if (!/^[1-9]\d{0,9}$/.test(server_id)) throw new Refusal('server_not_found');
  const serverId = Number(server_id);
  refuseOtherZone(operator, serverId);
  return serverId;
}

function fieldsOf({
  opened_at,
  maintenance_until,
  gm_receipts,
  ...fields
}: Omit<ChangedZone, 'reason'>): ZoneFields {
  return {
    ...fields,
    ...(gm_receipts !== undefined && { gm_receipts: gm_receipts === null ? null : Number(gm_receipts) }),
    ...(opened_at !== undefined && { opened_at: parseTime(opened_at) }),
    ...(maintenance_until !== undefined && { maintenance_until: parseTime(maintenance_until) }),
  };
}

function shown({
  online,
  entriesToday,
  withdrawalsUnknown,
  server_id,
  merged_into,
  gm_failing_since,
  gm_failure,
  gm_receipts,
  gm_signature_version,
  revision: _,
  ...fields
}: ZoneOverview) {
  return {
    server_id,
    ...readable(fields),
    merged_into,
    online,
    entries_today: entriesToday,
    withdrawals_unknown: withdrawalsUnknown,
    ...(gm_receipts !== null && { gm_receipts: gm_receipts !== 0 }),
    ...(gm_signature_version !== null && { gm_signature_version }),
    ...(gm_failing_since !== null && { gm_failing_since: timeText(gm_failing_since), gm_failure }),
  } as AdminZone;
}
