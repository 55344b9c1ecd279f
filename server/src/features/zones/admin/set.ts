import type { ZoneStatus } from '@gatehouse/contract';
import type { AuditAction, WebhookEvent } from '@gatehouse/contract/admin';
import type { Trx } from '../../../db/transaction.ts';
import { Refusal } from '../../../refusal.ts';
import { timeTextOrNull } from '../../../runtime/time.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor, AuditEntry } from '../../audit/entry.ts';
import type { ZoneAdminParts } from './add.ts';
import { readable, refuseFiles, unmasked } from './readable.ts';
import type { ZoneFields, ZoneState } from './store.ts';

export interface ChangedZone {
  readonly zone: ZoneState;
  /** Null if nothing had to change. */
  readonly auditId: string | null;
}

interface ZoneChange {
  readonly actor: Actor;
  readonly action: AuditAction & `zone.${string}`;
  readonly serverId: number;
  readonly fields: ZoneFields;
  readonly reason?: string | undefined;
}

/** Changes a zone. Returns undefined if there is none. */
export function setZone({ zones, audit, enqueue }: ZoneAdminParts) {
  return (
    actor: Actor,
    serverId: number,
    fields: ZoneFields,
    reason?: string,
  ): Promise<ChangedZone | undefined> =>
    audit.transaction((trx, append) =>
      changeZone(trx, { zones, enqueue, append }, { actor, action: 'zone.set', serverId, fields, reason }),
    );
}

export async function changeZone(
  trx: Trx,
  {
    zones,
    enqueue,
    append,
  }: Pick<ZoneAdminParts, 'zones' | 'enqueue'> & { append: (entry: AuditEntry) => Promise<string> },
  { actor, action, serverId, fields, reason }: ZoneChange,
): Promise<ChangedZone | undefined> {
  const now = await zones.stateOf(trx, serverId);
  if (!now) return undefined;
  const changed = changes<ZoneFields>(now, { ...withoutOldEnd(fields), ...unmasked(fields, now) });
  if (!changed) return { zone: now, auditId: null };
  refuseFiles(actor, changed.after);
  const isNewStatus =
    fields.status !== undefined && ('status' in changed.after || 'maintenance_until' in changed.after);
  if (isNewStatus && reason === undefined && actor.via !== 'cli')
    throw new Refusal('invalid_request', { errors: [{ field: 'reason', message: 'required' }] });
  await zones.change(trx, now, changed.after);
  const auditId = await append({
    actor,
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

function statusEvent(zone: ZoneState, previous: string, actor: Actor): WebhookEvent {
  return {
    type: 'zone.status',
    data: {
      server_id: zone.server_id,
      name: zone.name,
      status: zone.status as ZoneStatus,
      previous: previous as ZoneStatus,
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
