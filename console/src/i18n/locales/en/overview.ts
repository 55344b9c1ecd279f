import type { Shape } from '../../messages.ts';
import type { overview as zhCN } from '../zh-CN/overview.ts';

export const overview: Shape<typeof zhCN> = {
  overview: {
    title: 'Overview',
    now: 'Needs attention now',
    calm: 'All clear',
    calmText: 'No unknown withdrawals, no zones down, registrations well below the cap.',
    unknown: 'Unknown withdrawals',
    open: ({ named }) => `${named('n')} more in progress`,
    down: 'Zones down',
    cap: 'Registrations near the cap',
    capOf: ({ named }) => `of ${named('cap')} today`,
    capReached: 'Registrations at the cap',
    doctor: 'Doctor findings',
    today: 'Today so far',
    registrations: 'Registrations',
    logins: 'Logins',
    players: 'Players',
    entries: 'Game entries',
    withdrawnIn: ({ named }) => `Withdrawn (${named('currency')})`,
    versusYesterday: 'yesterday',
    versusWeek: 'a week ago',
    comparedTo: ({ named }) => `compared up to ${named('hour')}:00`,
    soFar: 'so far',
    days: ({ named }) => `${named('n')} days`,
    span: 'Period',
    capLine: 'Daily cap',
  },
};
