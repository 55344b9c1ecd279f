import type { AnswerOf } from '@gatehouse/contract';
import type { adminRoutes } from '@gatehouse/contract/admin';
import { type LocalTime, timeText } from '../../../runtime/time.ts';
import {
  MAX_COMPARISON_AGE_MS,
  type RetiredEntry,
  retiredEntries,
  type SourceFigures,
  type TakeoverStore,
} from '../store.ts';

export type TakeoverStatus = AnswerOf<typeof adminRoutes.takeover>;
export type OpenPoint = TakeoverStatus['open'][number];

const DAYS = 14;
/** Old clients and links that were not used for a week are considered gone. */
const QUIET_DAYS = 7;

interface StatusDeps {
  readonly store: Pick<
    TakeoverStore,
    'sources' | 'countAccounts' | 'countZones' | 'figuresByDay' | 'readTime'
  >;
  readonly time: LocalTime;
  readonly passwordHash: () => string;
}

/** Reports the state of a takeover. `compared` replaces the stored figures of its source. */
export function takeoverStatus({ store, time, passwordHash }: StatusDeps) {
  return async (compared?: SourceFigures): Promise<TakeoverStatus> => {
    const [accounts, zones, stored, now] = [
      await store.countAccounts(),
      await store.countZones(),
      await store.sources(),
      await store.readTime(),
    ];
    const current = compared && { ...compared, at: now, changed_at: now };
    const sources = current ? [current, ...stored.filter(({ source }) => source !== current.source)] : stored;
    const { days, firstLogin } = await lastDays();
    const sum = (count: (source: (typeof sources)[number]) => number | boolean) =>
      sources.reduce((total, source) => total + Number(count(source)), 0);
    const cutOver = {
      not_imported: sources.length === 0,
      import_incomplete: sum(({ complete }) => !complete),
      import_old: sources[0] !== undefined && now - sources[0].at > MAX_COMPARISON_AGE_MS,
      conflicts: sum(({ conflicts }) => conflicts),
      refused: sum(({ refused }) => refused),
      no_zones: zones === 0,
      no_way_back: passwordHash() === 'argon2id',
    };
    const recent = days.slice(0, QUIET_DAYS);
    const close = {
      not_imported: sources.length === 0,
      // Before players log in here, a week without old clients shows nothing.
      too_early: Math.max(0, QUIET_DAYS - firstLogin),
      legacy_clients: Math.max(0, ...recent.map(({ legacy_accounts }) => legacy_accounts)),
      retired_hits: recent.reduce((total, { retired_hits }) => total + retired_hits, 0),
    };
    return {
      accounts_here: accounts,
      sources: sources.map(({ at, changed_at, ...source }) => ({
        ...source,
        changed_at: timeText(changed_at),
        at: timeText(at),
      })),
      days,
      open: [...openPoints('cut_over', cutOver), ...openPoints('close', close)],
    };
  };

  /** Returns every day, newest first, and how many days ago players first logged in here. */
  async function lastDays(): Promise<{ days: TakeoverStatus['days']; firstLogin: number }> {
    const dates = time.lastDays(DAYS);
    const rows = await store.figuresByDay(dates[0] ?? '');
    const first = dates.findIndex((day) => rows.some((row) => row.day === day && row.name === 'logins'));
    const days = dates.toReversed().map((day) => {
      const of = (name: string, part?: number) =>
        rows
          .filter((row) => row.day === day && row.name === name && (part ?? row.part) === row.part)
          .reduce((total, { n }) => total + n, 0);
      const retired = retiredEntries.map((entry, part) => [entry, of('retired_hits', part)]);
      return {
        day,
        legacy_accounts: of('legacy_checks'),
        retired_hits: of('retired_hits'),
        retired: Object.fromEntries(retired) as Record<RetiredEntry, number>,
      };
    });
    return { days, firstLogin: first === -1 ? 0 : dates.length - 1 - first };
  }
}

/** Returns what is not zero or false, in order. */
function openPoints(
  against: OpenPoint['against'],
  counts: Partial<Record<OpenPoint['code'], number | boolean>>,
): OpenPoint[] {
  const open = Object.entries(counts).filter(([, count]) => count);
  return open.map(([code, count]) => ({ against, code: code as OpenPoint['code'], count: Number(count) }));
}
