import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { PromoterAdminParts } from './add.ts';

export interface PromoterChange {
  readonly agentId: number;
  /** A closed promoter's links count no registrations any more. */
  readonly status: 'active' | 'closed';
  readonly reason?: string | undefined;
}

/** Changes a promoter; false where there is none. */
export function setPromoter({ promoters, audit }: PromoterAdminParts) {
  return (actor: Actor, { agentId, reason, ...change }: PromoterChange): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      const now = await promoters.stateOf(trx, agentId);
      if (!now) return false;
      const changed = changes(now, change);
      if (!changed) return true;
      await promoters.change(trx, now, change);
      await append({
        actor,
        action: 'promoter.set',
        subject: { kind: 'promoter', id: agentId },
        reason,
        ...changed,
      });
      return true;
    });
}
