import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { PromoterStore } from './store.ts';

export interface PromoterAdminParts {
  readonly promoters: PromoterStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewPromoter {
  readonly name: string;
  readonly reason?: string | undefined;
}

/** Adds a promoter; answers the id that players' links carry. */
export function addPromoter({ promoters, audit }: PromoterAdminParts) {
  return (actor: Actor, { name, reason }: NewPromoter) =>
    audit.transaction(async (trx, append): Promise<{ agentId: number; auditId: string }> => {
      const promoter = { name, status: 'active' } as const;
      const id = await promoters.add(trx, promoter);
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
