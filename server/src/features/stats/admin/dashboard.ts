import type { AnswerOf } from '@gatehouse/contract';
import type { adminRoutes } from '@gatehouse/contract/admin';
import type { StatName } from '../../../db/day-stat.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { ReadFigures } from '../read-figures.ts';
import type { StatStore } from '../store.ts';
import type { PlayerFigures } from './player-store.ts';
import type { WithdrawalFigures } from './withdrawal-store.ts';

export type Zones = readonly number[] | null;
export type Dashboard = AnswerOf<typeof adminRoutes.dashboard>;

/** What the rules of the figures use. */
export interface StatsDeps {
  readonly figures: ReadFigures;
  readonly stats: Pick<StatStore, 'registrationsOn'>;
  readonly players: PlayerFigures;
  readonly promoterNames: (agentIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  readonly withdrawals: WithdrawalFigures;
  /** Zones whose game port does not answer. */
  readonly zonesDown: (zones: Zones) => number;
  /** The daily registration cap in force. */
  readonly cap: () => number;
  readonly time: LocalTime;
}

const names = [
  'registrations',
  'logins',
  'players',
  'entries',
  'withdrawn_done',
  'withdrawn_amount',
  'withdrawn_failed',
  'legacy_checks',
] as const satisfies StatName[];

/** Returns the figures of the last days, with no gaps, oldest first, and the current state. */
export function dashboard(deps: StatsDeps) {
  const { figures, stats, withdrawals, zonesDown, cap, time } = deps;
  return async ({ days: count, zones }: { days: number; zones: Zones }): Promise<Dashboard> => {
    const days = time.lastDays(count);
    const [from = '', to = ''] = [days[0], days.at(-1)];
    const sums = await figures({ names, from, to, zones });
    const so_far = await compareByHour(deps, zones);
    const open = await withdrawals.open(zones);
    const totals = new Map<string, number>();
    const add = (name: string, day: string, n: number) =>
      totals.set(`${name} ${day}`, (totals.get(`${name} ${day}`) ?? 0) + n);
    for (const { name, day, n } of sums) add(name, day, n);
    const unknown = open.filter(({ state }) => state === 'unknown');
    for (const { createdAt } of unknown) add('withdrawn_unknown', time.at(createdAt).day, 1);
    const figureOf = (name: (typeof names)[number] | 'withdrawn_unknown', day: string) =>
      totals.get(`${name} ${day}`) ?? 0;

    return {
      days: days.map((day) => ({
        day,
        registrations: figureOf('registrations', day),
        logins: figureOf('logins', day),
        players: figureOf('players', day),
        entries: figureOf('entries', day),
        withdrawn: {
          done: figureOf('withdrawn_done', day),
          amount: figureOf('withdrawn_amount', day),
          failed: figureOf('withdrawn_failed', day),
          unknown: figureOf('withdrawn_unknown', day),
        },
        legacy_checks: figureOf('legacy_checks', day),
      })),
      ...(so_far && { so_far }),
      now: {
        registrations: zones === null ? await stats.registrationsOn(to) : figureOf('registrations', to),
        cap: cap(),
        withdrawals_open: open.length,
        withdrawals_unknown: unknown.length,
        zones_down: zonesDown(zones),
      },
    };
  };
}

const comparedFigures = ['registrations', 'logins', 'players', 'entries', 'withdrawn'] as const;
type ComparedFigure = (typeof comparedFigures)[number];
const totalOf = (figure: ComparedFigure) => (figure === 'withdrawn' ? 'withdrawn_amount' : figure);

/** Compares today with yesterday and a week ago, up to the last full hour of today. */
async function compareByHour({ figures, time }: StatsDeps, zones: Zones): Promise<Dashboard['so_far']> {
  const { hour } = time.at(Date.now());
  if (hour === 0) return undefined;
  const week = time.lastDays(8);
  const [weekAgo = '', yesterday = '', today = ''] = [week[0], week.at(-2), week.at(-1)];
  const totals = comparedFigures.map(totalOf);
  const sums = await figures({
    names: [...totals, ...totals.map((name) => `${name}_by_hour` as const)],
    from: weekAgo,
    to: today,
    zones,
  });
  const sum = (name: StatName, day: string, before = 24) =>
    sums.reduce(
      (n, cell) => (cell.name === name && cell.day === day && cell.part < before ? n + cell.n : n),
      0,
    );
  // Days from before hourly sums existed have none, or only some.
  const isSummedByHour = (day: string) =>
    totals.every((name) => sum(`${name}_by_hour`, day) === sum(name, day));
  const days = [today, yesterday, weekAgo].filter(isSummedByHour).map((day) => {
    const until = (figure: ComparedFigure) => sum(`${totalOf(figure)}_by_hour`, day, hour);
    return {
      day,
      registrations: until('registrations'),
      logins: until('logins'),
      players: until('players'),
      entries: until('entries'),
      withdrawn: until('withdrawn'),
    };
  });
  return { hour, days };
}
