import type { Answer } from '../api/client.ts';

type DashboardDay = Answer<'dashboard'>['days'][number];

export type Figure = 'registrations' | 'logins' | 'players' | 'entries' | 'withdrawn';

export const figures: readonly { readonly figure: Figure; readonly to: string }[] = [
  { figure: 'registrations', to: '/registrations' },
  { figure: 'logins', to: '/players' },
  { figure: 'players', to: '/players' },
  { figure: 'entries', to: '/zones' },
  { figure: 'withdrawn', to: '/withdrawals?state=done' },
];

export const figureOf = (day: DashboardDay, figure: Figure): number =>
  figure === 'withdrawn' ? day.withdrawn.amount : day[figure];

const DAY_MS = 24 * 3600 * 1000;

/** Compares today with yesterday and the same weekday last week, all up to the last full hour of today. */
export function compare({ days, so_far }: Answer<'dashboard'>, figure: Figure) {
  const today = days.at(-1)?.day ?? '';
  const at = (back: number) => {
    const day = new Date(Date.parse(today) - back * DAY_MS).toISOString().slice(0, 10);
    return so_far?.days.find((each) => each.day === day)?.[figure] ?? null;
  };
  return { today: at(0), yesterday: at(1), lastWeek: at(7) };
}
