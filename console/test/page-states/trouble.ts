import { viewer } from '../fixtures/desk.ts';
import { dashboardOf } from '../fixtures/figures.ts';
import { withdrawDetail } from '../fixtures/people.ts';
import type { PageState } from './page-state.ts';

const none = (name: string, reply: object): PageState => ({
  name: `${name}-empty`,
  path: `/${name}`,
  shows: '.empty',
  replies: { [`GET ${name}`]: { ...reply, next: null } },
});

/** A platform without registrations. */
function nothingYet(count: number) {
  const { days } = dashboardOf(count);
  const withdrawn = { done: 0, amount: 0, failed: 0, unknown: 0 };
  const empty = { registrations: 0, logins: 0, players: 0, entries: 0, legacy_checks: 0, withdrawn };
  return {
    days: days.map(({ day }) => ({ day, ...empty })),
    now: { registrations: 0, cap: 1000, withdrawals_open: 0, withdrawals_unknown: 0, zones_down: 0 },
  };
}

/** States with missing, slow, broken or forbidden data. */
export const trouble: readonly PageState[] = [
  {
    name: 'players-empty',
    path: '/players?q=nobody',
    shows: '.empty',
    replies: { 'GET players': { players: [], next: null } },
  },
  {
    name: 'overview-new',
    path: '/',
    shows: '.u-over',
    replies: { 'GET dashboard': ({ searchParams }) => nothingYet(Number(searchParams.get('days') ?? 30)) },
  },
  none('zones', { zones: [] }),
  none('withdrawals', { withdrawals: [] }),
  none('promoters', { promoters: [] }),
  none('chat', { chat: [] }),
  none('announcements', { announcements: [] }),
  none('audit', { audit: [] }),
  none('reconciliation', { zones: [] }),
  none('controls', { controls: [], deny_ip: [] }),
  { name: 'players-loading', path: '/players', shows: '.skeletons', replies: { 'GET players': 'never' } },
  { name: 'overview-loading', path: '/', shows: '.skeletons', replies: { 'GET dashboard': 'never' } },
  {
    name: 'players-offline',
    path: '/players',
    shows: '.trouble',
    replies: { 'GET players': 'cut' },
    failing: true,
  },
  {
    name: 'zones-failed',
    path: '/zones',
    shows: '.trouble',
    replies: { 'GET zones': { refuse: [503, 'unavailable', 'The database does not answer.'] } },
    failing: true,
  },
  {
    name: 'withdrawal-not-found',
    path: '/withdrawals/6f1c2a99-4d1e-4c55-9a3b-2b7de1000099',
    shows: '.empty',
    failing: true,
  },
  { name: 'audit-denied', wide: true, path: '/audit', shows: '.denied', replies: { 'GET me': viewer } },
  {
    name: 'withdrawal-viewer',
    path: `/withdrawals/${withdrawDetail.id}`,
    shows: '.denied-here',
    replies: { 'GET me': viewer },
  },
];
