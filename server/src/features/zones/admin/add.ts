import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { readable } from './readable.ts';
import type { NewZone, ZoneAdminStore } from './store.ts';

export interface ZoneAdminParts {
  readonly zones: ZoneAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

/** Adds a zone; false where there is one with that id. */
export function addZone({ zones, audit }: ZoneAdminParts) {
  return (actor: Actor, zone: NewZone, reason?: string): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      if (!(await zones.add(trx, zone))) return false;
      const { server_id: serverId, ...fields } = zone;
      await append({
        actor,
        action: 'zone.add',
        subject: { kind: 'zone', id: serverId },
        serverId,
        reason,
        after: readable(fields),
      });
      return true;
    });
}
