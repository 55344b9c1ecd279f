import { viewer } from '../fixtures/desk.ts';
import { takeoverOf } from '../fixtures/figures.ts';
import { playerDetail, withdrawDetail } from '../fixtures/people.ts';
import type { PageState } from './page-state.ts';
import { trouble } from './trouble.ts';

export { dialogs } from './dialogs.ts';
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
  {
    name: 'signed-out',
    path: '/players/3',
    shows: '.notice',
    replies: { 'POST players/3/notes': out['GET me'] },
    failing: true,
    async act(page) {
      await page.locator('.tools .button').first().click();
      await page.fill('dialog [name=text]', 'called');
      await page.locator('dialog button[type=submit]').click();
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
  {
    name: 'recovery-codes',
    path: '/account',
    shows: 'dialog .codes',
    replies: { 'GET me': { ...viewer, totp: false } },
    async act(page) {
      await page.locator('.card .button.primary').click();
      await page.fill('dialog [name=code]', '123456');
      await page.locator('dialog button[type=submit]').click();
    },
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
  { name: 'reconciliation', wide: true, path: '/reconciliation', shows: 'tbody tr' },
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
  { name: 'site', wide: true, path: '/site', shows: '.phone' },
  {
    name: 'site-pale-accent',
    path: '/site',
    shows: '.field.wrong',
    act: (page) => page.fill('[name=accent]', '#223344'),
  },
  { name: 'controls', wide: true, path: '/controls', shows: 'tbody tr' },
  { name: 'audit', wide: true, path: '/audit', shows: 'tbody tr' },
  { name: 'operators', wide: true, path: '/operators', shows: 'tbody tr' },
  { name: 'webhooks', wide: true, path: '/webhooks', shows: 'tbody tr' },
  {
    name: 'webhook',
    wide: true,
    path: '/webhooks/3',
    shows: '.notice.error',
    async act(page) {
      await page.locator('tbody tr').first().waitFor();
      await page.locator('.tools .button').first().click();
    },
  },
  { name: 'takeover', wide: true, path: '/takeover', shows: 'tbody tr' },
  {
    name: 'takeover-empty',
    path: '/takeover',
    shows: 'tbody tr',
    replies: { 'GET takeover': takeoverOf(0) },
  },
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

const overlays: PageState[] = [
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
    name: 'account-menu',
    path: '/account',
    shows: '#account-menu',
    act: (page) => page.locator('.toggle').click(),
  },
  {
    name: 'more-screens',
    phoneOnly: true,
    path: '/account',
    shows: '#more-entries',
    act: (page) => page.locator('.bottom button').click(),
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

export const pageStates: readonly PageState[] = [...session, ...screens, ...overlays, ...trouble];
