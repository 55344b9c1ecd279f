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

/** Returns today's figure with yesterday's and that of the same weekday last week. Days are oldest first. */
export function compare(days: readonly DashboardDay[], figure: Figure) {
  const at = (back: number) => {
    const day = days.at(-1 - back);
    return day ? figureOf(day, figure) : null;
  };
  return { today: at(0) ?? 0, yesterday: at(1), lastWeek: at(7) };
}
