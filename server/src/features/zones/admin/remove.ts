import { Refusal } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import type { ZoneKeyStore } from '../key-store.ts';
import type { ZoneAdminParts } from './add.ts';
import type { MergeStore } from './merge-store.ts';
import { readable } from './readable.ts';

interface RemoveParts extends ZoneAdminParts {
  readonly merges: Pick<MergeStore, 'openWithdrawals' | 'mergedInto'>;
  readonly keys: ZoneKeyStore;
}

/** Removes a zone that has no open withdrawal and no zones merged into it. Returns false if there is none. */
export function removeZone({ zones, merges, keys, audit }: RemoveParts) {
  return (actor: Actor, serverId: number, reason?: string): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      // Read this first: a later withdrawal or merge changes the row, and the removal is repeated.
      const now = await zones.stateOf(trx, serverId);
      if (!now) return false;
      const count = await merges.openWithdrawals(trx, serverId);
      if (count > 0) throw new Refusal('zone_has_open_withdrawals', { variant: 'remove', params: { count } });
      const merged = await merges.mergedInto(trx, serverId);
      if (merged.length > 0)
        throw new Refusal('already_bound', { variant: 'merged_here', params: { zones: merged.join(', ') } });
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
