import { Refusal, refuseField } from '../../../refusal.ts';
import type { Actor, Why } from '../../audit/entry.ts';
import { refuseOpenWithdrawals, requireZone, type ZoneStores } from './change.ts';

export interface Merge extends Why {
  readonly serverId: number;
  readonly into: number;
  /** Only report what would be affected. */
  readonly dryRun?: boolean | undefined;
}

export interface Merged {
  /** Players whose last zone it is. They are offered the other one from now on. */
  readonly players: number;
  /** All withdrawals of the zone. The records stay unchanged. */
  readonly withdrawals: number;
  /** Open withdrawals, which prevent the merge. */
  readonly openWithdrawals: number;
  readonly auditId: string | null;
}

/** Merges a zone into another: requests for the first are served by the second. No record changes. */
export function mergeZone({ zones, merges, audit }: Pick<ZoneStores, 'zones' | 'merges' | 'audit'>) {
  return async (actor: Actor, { serverId, into, reason, dryRun = false }: Merge): Promise<Merged> => {
    if (serverId === into) throw refuseField('invalid_request', 'into');
    const touched = await merges.inhabitants(serverId);
    return audit.transaction(actor, async (trx, append) => {
      // Read this first: a withdrawal accepted later changes the row, and the merge is repeated.
      const zone = await requireZone(zones, trx, serverId);
      if (zone.merged_into !== null) throw new Refusal('already_bound', { variant: 'merged' });
      const chain = await merges.chainOf(trx, into);
      if (chain.length === 0) throw refuseField('server_not_found', 'into');
      if (chain.some(({ server_id }) => server_id === serverId))
        throw refuseField('already_bound', 'into', { variant: 'circle' });
      const openWithdrawals = await merges.openWithdrawals(trx, serverId);
      if (dryRun) return { ...touched, openWithdrawals, auditId: null };
      refuseOpenWithdrawals(serverId, openWithdrawals);
      await merges.merge(trx, zone, into);
      for (const each of chain) await merges.relyOn(trx, each);
      const auditId = await append({
        action: 'zone.merge',
        subject: { kind: 'zone', id: serverId },
        serverId,
        reason,
        before: { merged_into: null },
        after: { merged_into: into },
      });
      return { ...touched, openWithdrawals, auditId };
    });
  };
}
