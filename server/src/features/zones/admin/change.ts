import { randomBytes } from 'node:crypto';
import type { ZoneStatus } from '@gatehouse/contract';
import type { AuditAction, WebhookEvent } from '@gatehouse/contract/admin';
import type { Enqueue } from '../../../db/outbox.ts';
import type { Trx } from '../../../db/transaction.ts';
import { Refusal, refuseField, refuseInput } from '../../../refusal.ts';
import { timeTextOrNull } from '../../../runtime/time.ts';
import type { Sealer } from '../../../security/sealer.ts';
import { type Actor, type Append, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { ZoneKeyStore } from '../key-store.ts';
import type { MergeStore } from './merge-store.ts';
import { readable, refuseFiles, unmasked } from './readable.ts';
import type { NewZone, ZoneAdminStore, ZoneFields, ZoneState } from './store.ts';

export interface ZoneStores {
  readonly zones: ZoneAdminStore;
  readonly merges: MergeStore;
  readonly keys: ZoneKeyStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly enqueue: Enqueue;
}

const NO_URLS = { gm_url: null, database_url: null };

/** Adds all zones or none. Returns the ids of the audit entries. */
export function addZones({ zones, audit }: Pick<ZoneStores, 'zones' | 'audit'>) {
  return (actor: Actor, { zones: added, reason }: Why & { zones: NewZone[] }): Promise<string[]> =>
    audit.transaction(actor, async (trx, append) => {
      const auditIds: string[] = [];
      for (const zone of added) {
        refuseFiles(actor, zone);
        const { server_id: serverId, ...fields } = zone;
        if (!(await zones.add(trx, { ...zone, ...unmasked(zone, NO_URLS) })))
          throw refuseField('already_bound', 'server_id', { variant: 'zone', params: { serverId } });
        const subject = { kind: 'zone', id: serverId };
        const after = readable(fields);
        auditIds.push(await append({ action: 'zone.add', subject, serverId, reason, after }));
      }
      return auditIds;
    });
}

export interface ChangedZone {
  readonly zone: ZoneState;
  /** Null if nothing had to change. */
  readonly auditId: string | null;
}

export interface ZoneOrder extends Why {
  readonly serverId: number;
}

export interface ZoneChange extends ZoneOrder {
  readonly fields: ZoneFields;
}

export function setZone({ zones, audit, enqueue }: Pick<ZoneStores, 'zones' | 'audit' | 'enqueue'>) {
  return (actor: Actor, change: ZoneChange): Promise<ChangedZone> =>
    audit.transaction(actor, (trx, append) =>
      changeZone(trx, { zones, enqueue, append }, { ...change, actor, action: 'zone.set' }),
    );
}

export interface NewStatus extends Why {
  readonly serverIds: readonly number[];
  readonly status: ZoneStatus;
  readonly message?: string | undefined;
  /** When the maintenance ends automatically. */
  readonly until?: number | undefined;
}

/** Changes the status of several zones, all or none. */
export function setZoneStatus({ zones, audit, enqueue }: Pick<ZoneStores, 'zones' | 'audit' | 'enqueue'>) {
  return (actor: Actor, order: NewStatus): Promise<ChangedZone[]> => {
    const { serverIds, status, message, until, reason } = order;
    const isMaintenance = status === 'maintenance';
    const fields = {
      status,
      maintenance_until: until ?? null,
      ...((isMaintenance || message !== undefined) && { message: message || null }),
    };
    return audit.transaction(actor, async (trx, append) => {
      if (until !== undefined && (!isMaintenance || until <= (await zones.now(trx))))
        throw refuseField('invalid_request', 'until');
      const changed: ChangedZone[] = [];
      // Ordered by id, so that all instances lock rows in the same order.
      for (const serverId of [...new Set(serverIds)].sort((a, b) => a - b)) {
        const change = { actor, action: 'zone.status', serverId, fields, reason } as const;
        changed.push(await changeZone(trx, { zones, enqueue, append }, change));
      }
      return changed;
    });
  };
}

async function changeZone(
  trx: Trx,
  { zones, enqueue, append }: Pick<ZoneStores, 'zones' | 'enqueue'> & { append: Append },
  {
    actor,
    action,
    serverId,
    fields,
    reason,
  }: ZoneChange & { readonly actor: Actor; readonly action: AuditAction & `zone.${string}` },
): Promise<ChangedZone> {
  const now = await requireZone(zones, trx, serverId);
  const changed = changes<ZoneFields>(now, { ...withoutOldEnd(fields), ...unmasked(fields, now) });
  if (!changed) return { zone: now, auditId: null };
  refuseFiles(actor, changed.after);
  const isNewStatus =
    fields.status !== undefined && ('status' in changed.after || 'maintenance_until' in changed.after);
  if (isNewStatus && reason === undefined && actor.via !== 'cli') throw refuseInput('reason', 'required');
  await zones.change(trx, now, changed.after);
  const auditId = await append({
    action,
    subject: { kind: 'zone', id: serverId },
    serverId,
    reason,
    before: readable(changed.before),
    after: readable(changed.after),
  });
  const zone = { ...now, ...changed.after };
  if (isNewStatus) await enqueue(trx, statusEvent(zone, now.status, actor));
  return { zone, auditId };
}

function statusEvent(zone: ZoneState, previous: ZoneStatus, actor: Actor): WebhookEvent {
  return {
    type: 'zone.status',
    data: {
      server_id: zone.server_id,
      name: zone.name,
      status: zone.status,
      previous,
      message: zone.message,
      maintenance_until: timeTextOrNull(zone.maintenance_until),
      by: actor.name,
    },
  };
}

/** Clears the end of a previous maintenance if the status changes without a new end. */
function withoutOldEnd(fields: ZoneFields): ZoneFields {
  return fields.status === undefined ? fields : { maintenance_until: null, ...fields };
}

/** Removes a zone that has no open withdrawal and no zones merged into it. */
export function removeZone({ zones, merges, keys, audit }: ZoneStores) {
  return (actor: Actor, { serverId, reason }: ZoneOrder): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      // Read this first: a later withdrawal or merge changes the row, and the removal is repeated.
      const now = await requireZone(zones, trx, serverId);
      refuseOpenWithdrawals(serverId, await merges.openWithdrawals(trx, serverId));
      const merged = await merges.mergedInto(trx, serverId);
      if (merged.length > 0)
        throw new Refusal('already_bound', { variant: 'merged_here', params: { zones: merged.join(', ') } });
      await zones.remove(trx, now);
      await keys.remove(trx, serverId);
      const { server_id: _, revision: __, gm_failing_since: ___, gm_failure: ____, ...fields } = now;
      const subject = { kind: 'zone', id: serverId };
      return append({ action: 'zone.remove', subject, serverId, reason, before: readable(fields) });
    });
}

export async function requireZone(zones: ZoneAdminStore, trx: Trx, serverId: number): Promise<ZoneState> {
  const zone = await zones.stateOf(trx, serverId);
  if (!zone) throw new Refusal('server_not_found');
  return zone;
}

export function refuseOpenWithdrawals(serverId: number, count: number): void {
  if (count > 0)
    throw new Refusal('zone_has_open_withdrawals', { variant: 'counted', params: { count, serverId } });
}

type KeyStores = Pick<ZoneStores, 'zones' | 'keys' | 'audit'>;

/** Creates a key for the game server of one zone. It is shown once. */
export function addZoneKey({ zones, keys, audit }: KeyStores, sealer: Pick<Sealer, 'seal'>) {
  return (actor: Actor, { serverId, reason }: ZoneOrder): Promise<{ keyId: string; key: string }> => {
    const keyId = randomBytes(6).toString('hex');
    const key = `gzk_${randomBytes(32).toString('base64url')}`;
    return audit.transaction(actor, async (trx, append) => {
      await requireZone(zones, trx, serverId);
      await keys.add(trx, sealer, { keyId, serverId, key, createdBy: actor.name });
      const subject = { kind: 'zone', id: serverId };
      await append({ action: 'key.add', subject, serverId, reason, after: { key_id: keyId } });
      return { keyId, key };
    });
  };
}

/** Revokes one key of a zone, or all of them. Returns their ids; there is at least one. */
export function revokeZoneKeys({ keys, audit }: KeyStores) {
  return (
    actor: Actor,
    { serverId, keyId, reason }: ZoneOrder & { keyId?: string | undefined },
  ): Promise<string[]> =>
    audit.transaction(actor, async (trx, append) => {
      const revoked = await keys.remove(trx, serverId, keyId);
      if (revoked.length === 0) throw new Refusal('not_found');
      const subject = { kind: 'zone', id: serverId };
      for (const key_id of revoked)
        await append({ action: 'key.revoke', subject, serverId, reason, before: { key_id } });
      return revoked;
    });
}
