import type { ZoneStatus } from '@gatehouse/contract';
import { Refusal, refuseField } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import type { ZoneAdminParts } from './add.ts';
import { type ChangedZone, changeZone } from './set.ts';

export interface NewStatus {
  readonly serverIds: readonly number[];
  readonly status: ZoneStatus;
  readonly message?: string | undefined;
  /** When the maintenance ends automatically. */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** Changes the status of several zones, all or none. */
export function setZoneStatus({ zones, audit, enqueue }: ZoneAdminParts) {
  return (actor: Actor, order: NewStatus): Promise<ChangedZone[]> => {
    const { serverIds, status, message, until, reason } = order;
    if (until !== undefined && (status !== 'maintenance' || until <= Date.now()))
      throw refuseField('invalid_request', 'until');
    const isMaintenance = status === 'maintenance';
    const fields = {
      status,
      maintenance_until: until ?? null,
      ...((isMaintenance || message !== undefined) && { message: message || null }),
    };
    return audit.transaction(async (trx, append) => {
      const changed: ChangedZone[] = [];
      // Ordered by id, so that all instances lock rows in the same order.
      for (const serverId of [...new Set(serverIds)].sort((a, b) => a - b)) {
        const change = { actor, action: 'zone.status', serverId, fields, reason } as const;
        const zone = await changeZone(trx, { zones, enqueue, append }, change);
        if (!zone) throw new Refusal('server_not_found');
        changed.push(zone);
      }
      return changed;
    });
  };
}
