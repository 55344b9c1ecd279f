import { Refusal } from '../../../refusal.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { shown } from './list.ts';
import type { PromoterStore } from './store.ts';

export interface PromoterAdminParts {
  readonly promoters: PromoterStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewPromoter {
  /** An id of the old generation. If absent, the next id above all that players carry is used. */
  readonly agentId?: number | undefined;
  readonly name: string;
  readonly status?: 'active' | 'closed' | undefined;
  readonly reason?: string | undefined;
}

/** Adds a promoter. Returns the id used in players' links, or undefined if the requested id is taken. */
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
