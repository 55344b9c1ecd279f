import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { readable, unmasked } from './readable.ts';
import type { NewZone, ZoneAdminStore } from './store.ts';

export interface ZoneAdminParts {
  readonly zones: ZoneAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

const NO_URLS = { gm_url: null, database_url: null };

/** Adds a zone; undefined where there is one with that id. */
export function addZone({ zones, audit }: ZoneAdminParts) {
  return (actor: Actor, zone: NewZone, reason?: string): Promise<{ auditId: string } | undefined> =>
    audit.transaction(async (trx, append) => {
      if (!(await zones.add(trx, { ...zone, ...unmasked(zone, NO_URLS) }))) return undefined;
      const { server_id: serverId, ...fields } = zone;
      const auditId = await append({
        actor,
        action: 'zone.add',
        subject: { kind: 'zone', id: serverId },
        serverId,
        reason,
        after: readable(fields),
      });
      return { auditId };
    });
}
