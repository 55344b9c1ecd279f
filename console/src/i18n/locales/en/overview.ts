import type { Shape } from '../../messages.ts';
import type { overview as zhCN } from '../zh-CN/overview.ts';

export const overview: Shape<typeof zhCN> = {
  overview: {
    title: 'Overview',
    now: 'Needs a person now',
    calm: 'All quiet',
    calmText: 'No unknown withdrawals, no zone down, registrations well below the cap.',
    unknown: 'Unknown withdrawals',
    open: ({ named }) => `${named('n')} more under way`,
    down: 'Zones down',
    cap: 'Registrations near the cap',
    capOf: ({ named }) => `of ${named('cap')} today`,
    capReached: 'Registrations at the cap',
    doctor: 'Findings of the doctor',
    today: 'Today so far',
    registrations: 'Registrations',
    logins: 'Logins',
    players: 'Players',
    entries: 'Entries',
    withdrawnIn: ({ named }) => `Withdrawn (${named('currency')})`,
    versusYesterday: 'yesterday',
    versusWeek: 'a week ago',
    days: ({ named }) => `${named('n')} days`,
    span: 'Span',
    capLine: 'Daily cap',
  },
};
