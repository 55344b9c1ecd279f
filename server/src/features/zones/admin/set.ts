import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { ZoneAdminParts } from './add.ts';
import { readable } from './readable.ts';
import type { ZoneFields } from './store.ts';

/** Changes a zone; false where there is none. */
export function setZone({ zones, audit }: ZoneAdminParts) {
  return (actor: Actor, serverId: number, fields: ZoneFields, reason?: string): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      const now = await zones.stateOf(trx, serverId);
      if (!now) return false;
      const changed = changes(now, fields);
      if (!changed) return true;
      await zones.change(trx, now, changed.after);
      await append({
        actor,
        action: 'zone.set',
        subject: { kind: 'zone', id: serverId },
        serverId,
        reason,
        before: readable(changed.before),
        after: readable(changed.after),
      });
      return true;
    });
}
