import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { PromoterStore } from './store.ts';

export interface PromoterAdminParts {
  readonly promoters: PromoterStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewPromoter {
  /** An id of the old generation; a free one above all that players carry where it is left out. */
  readonly agentId?: number | undefined;
  readonly name: string;
  readonly status?: 'active' | 'closed' | undefined;
  readonly reason?: string | undefined;
}

/** Adds a promoter; answers the id that players' links carry, undefined where there is one with the wanted id. */
export function addPromoter({ promoters, audit }: PromoterAdminParts) {
  return (actor: Actor, { agentId, name, status = 'active', reason }: NewPromoter) =>
    audit.transaction(async (trx, append): Promise<{ agentId: number; auditId: string } | undefined> => {
      const promoter = { name, status };
      const id = await promoters.add(
        trx,
        agentId === undefined ? promoter : { ...promoter, agent_id: agentId },
      );
      if (id === undefined) return undefined;
      const auditId = await append({
        actor,
        action: 'promoter.add',
        subject: { kind: 'promoter', id },
        reason,
        after: promoter,
      });
      return { agentId: id, auditId };
    });
}
