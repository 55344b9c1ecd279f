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
  return (actor: Actor, { name, reason }: NewPromoter): Promise<number> =>
    audit.transaction(async (trx, append) => {
      const promoter = { name, status: 'active' };
      const id = await promoters.add(trx, promoter);
      await append({
        actor,
        action: 'promoter.add',
        subject: { kind: 'promoter', id },
        reason,
        after: promoter,
      });
      return id;
    });
}
