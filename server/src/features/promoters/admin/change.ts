import type { Promoter } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { parseTime } from '../../../runtime/time.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { PromoterState, PromoterStore } from './store.ts';

export interface PromoterAdminDeps {
  readonly promoters: PromoterStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewPromoter extends Why {
  /** An id of the old generation. If absent, the next id above all that players carry is used. */
  readonly agentId?: number | undefined;
  readonly name: string;
  readonly status?: 'active' | 'closed' | undefined;
}

/** Adds a promoter. Returns the id used in players' links, or undefined if the requested id is taken. */
export function addPromoter({ promoters, audit }: PromoterAdminDeps) {
  return (actor: Actor, { agentId, name, status = 'active', reason }: NewPromoter) =>
    audit.transaction(
      actor,
      async (trx, append): Promise<{ agentId: number; auditId: string } | undefined> => {
        const promoter = { name, status };
        const id = await promoters.add(
          trx,
          agentId === undefined ? promoter : { ...promoter, agent_id: agentId },
        );
        if (id === undefined) return undefined;
        const auditId = await append({
          action: 'promoter.add',
          subject: { kind: 'promoter', id },
          reason,
          after: promoter,
        });
        return { agentId: id, auditId };
      },
    );
}

export interface PromoterChange extends Why {
  readonly agentId: number;
  readonly name?: string;
  /** Links of a closed promoter no longer count registrations. */
  readonly status?: 'active' | 'closed';
}

/** Changes the given fields. The id of the audit entry is null if nothing changed. */
export function setPromoter({ promoters, audit }: PromoterAdminDeps) {
  return (actor: Actor, { agentId, reason, ...change }: PromoterChange) =>
    audit.transaction(actor, async (trx, append) => {
      const now = await promoters.stateOf(trx, agentId);
      if (!now) throw new Refusal('promoter_not_found');
      const changed = changes(now, change);
      if (!changed) return { promoter: shown(now), auditId: null };
      await promoters.change(trx, now, change);
      const auditId = await append({
        action: 'promoter.set',
        subject: { kind: 'promoter', id: agentId },
        reason,
        ...changed,
      });
      return { promoter: shown({ ...now, ...change }), auditId };
    });
}

/** Each takes several queries; leave connections for the players' requests. */
const CONCURRENCY = 4;

/** Half-open: `from` is included, `to` is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Figures of a promoter's players, as counted by the stats feature. */
export type FiguresOfPromoter = (
  agentId: number,
  span: Span,
  zones: readonly number[] | null,
) => Promise<Omit<Promoter, keyof PromoterState>>;

/** Any other status in the column counts as closed, as at registration. */
export const shown = ({ agent_id, name, status }: PromoterState) => ({
  agent_id,
  name,
  status: status === 'active' ? ('active' as const) : ('closed' as const),
});

interface PromoterListDeps {
  readonly promoters: Pick<PromoterStore, 'page' | 'find'>;
  readonly figuresOf: FiguresOfPromoter;
}

interface FigureFilter {
  readonly span: Span;
  readonly zones: readonly number[] | null;
}

/** Lists promoters with the figures of the players they brought within a span. */
export function promoterList({ promoters, figuresOf }: PromoterListDeps) {
  const withFigures = async (promoter: PromoterState, { span, zones }: FigureFilter): Promise<Promoter> => ({
    ...shown(promoter),
    ...(await figuresOf(promoter.agent_id, span, zones)),
  });
  return {
    /** Newest first, ids below `before`. */
    async page(filter: FigureFilter, page: { before: number | undefined; limit: number }) {
      const found = await promoters.page(page);
      const figures = new Map<PromoterState, Promoter>();
      await forEachConcurrent(found, CONCURRENCY, async (promoter) => {
        figures.set(promoter, await withFigures(promoter, filter));
      });
      return found.flatMap((promoter) => figures.get(promoter) ?? []);
    },

    async show(agentId: number, filter: FigureFilter) {
      const promoter = await promoters.find(agentId);
      if (!promoter) throw new Refusal('promoter_not_found');
      return withFigures(promoter, filter);
    },
  };
}

const DEFAULT_MS = 30 * 24 * 3_600_000;

/** Returns the requested span; defaults to the last 30 days. */
export function spanOf({ from, to }: { from?: string; to?: string }): Span {
  const until = parseTime(to) ?? Date.now();
  return { from: parseTime(from) ?? until - DEFAULT_MS, to: until };
}
