import type { AnswerOf } from '@gatehouse/contract';
import type { adminRoutes } from '@gatehouse/contract/admin';
import { refuseField } from '../../../refusal.ts';
import type { DaySpan } from '../../../runtime/time.ts';
import { blockOf } from '../../../security/addresses.ts';
import type { StatsDeps, Zones } from './dashboard.ts';

type Registrations = AnswerOf<typeof adminRoutes.registrations>;

interface RegistrationQuery {
  /** Defaults to today. */
  readonly day: string | undefined;
  readonly zones: Zones;
  /** Whether blocks of addresses may be shown. */
  readonly personal: boolean;
}

const LARGEST_BLOCKS = 20;
const names = ['registrations_by_hour', 'registrations_by_promoter'] as const;

/** Counts the registrations of a day by hour, promoter and address block. */
export function registrations({ figures, players, promoterNames, cap, time }: StatsDeps) {
  function spanOf(day: string): DaySpan {
    try {
      return time.spanOf(day);
    } catch {
      throw refuseField('invalid_request', 'day');
    }
  }

  async function largestBlocks(span: DaySpan, zones: Zones): Promise<Registrations['by_block']> {
    const byBlock = new Map<string, number>();
    for (const { ip, count } of await players.byAddress(span, zones)) {
      const block = blockOf(ip);
      if (block !== undefined) byBlock.set(block, (byBlock.get(block) ?? 0) + count);
    }
    return [...byBlock]
      .map(([block, count]) => ({ block, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, LARGEST_BLOCKS);
  }

  return async ({ day: requested, zones, personal }: RegistrationQuery): Promise<Registrations> => {
    const span = spanOf(requested ?? time.today().day);
    const { day } = span;
    const sums = await figures({ names, from: day, to: day, zones });
    const by_hour = Array<number>(24).fill(0);
    const byPromoter = new Map<number, number>();
    for (const { name, part, n } of sums) {
      if (name === 'registrations_by_hour') by_hour[part] = (by_hour[part] ?? 0) + n;
      else byPromoter.set(part, (byPromoter.get(part) ?? 0) + n);
    }
    const promoters = await promoterNames([...byPromoter.keys()].filter((id) => id > 0));
    return {
      day,
      cap: cap(),
      count: by_hour.reduce((sum, n) => sum + n, 0),
      by_hour,
      by_promoter: [...byPromoter]
        .map(([id, count]) => ({ agent_id: id || null, name: promoters.get(id) ?? null, count }))
        .sort((a, b) => b.count - a.count),
      by_block: personal ? await largestBlocks(span, zones) : [],
    };
  };
}
