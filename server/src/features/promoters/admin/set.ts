import { Refusal } from '../../../refusal.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { PromoterAdminParts } from './add.ts';
import { shown } from './list.ts';

export interface PromoterChange {
  readonly agentId: number;
  readonly name?: string;
  /** Links of a closed promoter no longer count registrations. */
  readonly status?: 'active' | 'closed';
  readonly reason?: string | undefined;
}

export interface ChangedPromoter {
  readonly promoter: ReturnType<typeof shown>;
  /** Null if nothing changed. */
  readonly auditId: string | null;
}

export function setPromoter({ promoters, audit }: PromoterAdminParts) {
  return (actor: Actor, { agentId, reason, ...change }: PromoterChange) =>
    audit.transaction(async (trx, append): Promise<ChangedPromoter> => {
      const now = await promoters.stateOf(trx, agentId);
      if (!now) throw new Refusal('promoter_not_found');
      const changed = changes(now, change);
      if (!changed) return { promoter: shown(now), auditId: null };
      await promoters.change(trx, now, change);
      const auditId = await append({
        actor,
        action: 'promoter.set',
        subject: { kind: 'promoter', id: agentId },
        reason,
        ...changed,
      });
      return { promoter: shown({ ...now, ...change }), auditId };
    });
}
