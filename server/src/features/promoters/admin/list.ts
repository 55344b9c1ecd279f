import type { Promoter } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import { parseTime } from '../../../runtime/time.ts';
import type { PromoterState, PromoterStore } from './store.ts';

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

interface PromoterListParts {
  readonly promoters: Pick<PromoterStore, 'page' | 'find'>;
  readonly figuresOf: FiguresOfPromoter;
}

interface FigureFilter {
  readonly span: Span;
  readonly zones: readonly number[] | null;
}

/** Lists promoters with the figures of the players they brought within a span. */
export function promoterList({ promoters, figuresOf }: PromoterListParts) {
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
