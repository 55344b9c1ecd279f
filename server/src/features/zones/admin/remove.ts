import type { Actor } from '../../audit/entry.ts';
import type { ZoneKeyStore } from '../key-store.ts';
import type { ZoneAdminParts } from './add.ts';
import { readable } from './readable.ts';

/** Removes a zone; false where there is none. */
export function removeZone({ zones, keys, audit }: ZoneAdminParts & { readonly keys: ZoneKeyStore }) {
  return (actor: Actor, serverId: number, reason?: string): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      const now = await zones.stateOf(trx, serverId);
      if (!now) return false;
      await zones.remove(trx, now);
      await keys.remove(trx, serverId);
      const { server_id: _, revision: __, ...fields } = now;
      await append({
        actor,
        action: 'zone.remove',
        subject: { kind: 'zone', id: serverId },
        serverId,
        reason,
        before: readable(fields),
      });
      return true;
    });
}
