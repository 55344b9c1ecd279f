import { viewer } from '../fixtures/desk.ts';
import { playerDetail, withdrawDetail } from '../fixtures/people.ts';
import type { PageState } from './page-state.ts';

export type { PageState } from './page-state.ts';

const out = { 'GET me': { refuse: [401, 'invalid_token', 'Log in again.'] } } as const;

const session: PageState[] = [
  { name: 'login', path: '/login', shows: '[name=password]', replies: out, failing: true },
  {
    name: 'login-code',
    path: '/login',
    shows: '[name=code]',
    replies: { ...out, 'POST login': { refuse: [401, 'second_factor_required', 'A code is missing.'] } },
    failing: true,
    async act(page) {
      await page.fill('[name=name]', 'zhang.wei');
      await page.fill('[name=password]', 'a lantern over the gate');
      await page.locator('button[type=submit]').click();
    },
  },
  { name: 'invite', path: '/invite#TOKEN', shows: '[name=again]' },
  { name: 'invite-spent', path: '/invite', shows: '.notice.error' },
  {
    name: 'account-totp',
    path: '/account',
    shows: 'dialog .qr',
    replies: { 'GET me': { ...viewer, totp: false } },
    act: (page) => page.locator('.card .button.primary').click(),
  },
];

const screens: PageState[] = [
  { name: 'overview', wide: true, path: '/', shows: '.u-over' },
  { name: 'zones', wide: true, path: '/zones', shows: '.wall .tile' },
  { name: 'zone', path: '/zones/14', shows: '.facts' },
  { name: 'players', path: '/players', shows: 'tbody tr' },
  { name: 'player', wide: true, path: '/players/3', shows: 'ol li' },
  { name: 'withdrawals', wide: true, path: '/withdrawals', shows: 'tbody tr' },
  { name: 'withdrawal', wide: true, path: `/withdrawals/${withdrawDetail.id}`, shows: '.panel-settle' },
  { name: 'reconciliation', path: '/reconciliation', shows: 'tbody tr' },
  { name: 'registrations', path: '/registrations', shows: '.bars' },
  { name: 'promoters', wide: true, path: '/promoters', shows: 'tbody tr' },
  { name: 'promoter', path: '/promoters/7', shows: '.qr' },
  {
    name: 'chat-context',
    wide: true,
    path: '/chat',
    shows: '.side li',
    act: (page) => page.locator('button.content').nth(5).click(),
  },
  { name: 'announcements', path: '/announcements', shows: 'article' },
  { name: 'controls', wide: true, path: '/controls', shows: 'tbody tr' },
  { name: 'audit', path: '/audit', shows: 'tbody tr' },
  { name: 'operators', wide: true, path: '/operators', shows: 'tbody tr' },
  { name: 'system', wide: true, path: '/system', shows: 'tbody tr' },
  { name: 'account', path: '/account', shows: '.permissions' },
  {
    name: 'menu',
    wide: true,
    path: '/announcements',
    shows: '#account-menu .version',
    act: (page) => page.locator('[aria-controls=account-menu]').click(),
  },
  { name: 'not-found', path: '/nowhere', shows: '.nothing' },
];

const dialogs: PageState[] = [
  {
    name: 'search',
    wide: true,
    path: '/players/3',
    shows: '.hit:nth-child(3)',
    async act(page) {
      await page.locator('h1').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('li');
    },
  },
  {
    name: 'ban',
    path: '/players/3',
    shows: 'dialog [name=reason]',
    replies: { 'GET players/3': { ...playerDetail, status: 'active' } },
    act: (page) => page.locator('.tools .button.danger').click(),
  },
  {
    name: 'zone-status',
    path: '/zones',
    shows: 'dialog [name=reason]',
    async act(page) {
      await page.locator('.wall input[type=checkbox]').first().check();
      await page.locator('.selection .button').click();
    },
  },
  {
    name: 'add-zone',
    path: '/zones',
    shows: 'dialog [name=gm_url]',
    act: (page) => page.locator('.tools .button').first().click(),
  },
  {
    name: 'plot-as-table',
    path: '/',
    shows: '.as-table',
    async act(page) {
      await page.locator('.u-over').first().waitFor();
      await page.keyboard.press('t');
    },
  },
];

const trouble: PageState[] = [
  {
    name: 'players-empty',
    path: '/players?q=nobody',
    shows: '.empty',
    replies: { 'GET players': { players: [], next: null } },
  },
  { name: 'players-loading', path: '/players', shows: '.skeletons', replies: { 'GET players': 'never' } },
  {
    name: 'players-offline',
    path: '/players',
    shows: '.trouble',
    replies: { 'GET players': 'cut' },
    failing: true,
  },
  {
    name: 'withdrawal-not-found',
    path: '/withdrawals/6f1c2a99-4d1e-4c55-9a3b-2b7de1000099',
    shows: '.trouble',
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

export const pageStates: readonly PageState[] = [...session, ...screens, ...dialogs, ...trouble];
