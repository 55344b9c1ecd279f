import { Refusal, refuseField } from '@gatehouse/server/refusal';
import type { Page } from 'playwright-core';
import { type Answers, config, records, zones } from './fake-api.ts';

/** One state of one page: how the service answers, where the player is, and what the player does. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  readonly signedIn?: true;
  readonly answers?: Answers;
  readonly act?: (page: Page) => Promise<unknown>;
  /** What must be seen before the picture is taken. */
  readonly shows: string;
  /** Looks different enough on a large screen to be examined there too. */
  readonly wide?: true;
  /** The browser itself reports failed loads; these scenes have one on purpose. */
  readonly failing?: true;
}

const down = { status: 502, body: '<html>bad gateway</html>', headers: { 'content-type': 'text/html' } };
const nobody = { body: { withdrawals: [], next: null } };
const submit = (page: Page) => page.locator('form button[type=submit]').click();

async function fillLogin(page: Page) {
  await page.fill('[name=account]', 'li_bai');
  await page.fill('[name=password]', 'moonlight-1');
  await submit(page);
}

async function fillRegistration(page: Page) {
  await page.fill('[name=account]', 'li_bai');
  await page.fill('[name=password]', 'Moonlight-42');
  await page.fill('[name=email]', 'libai@example.com');
  await page.click('.send');
  await page.fill('[name=code]', '123456');
  await page.check('[name=agree]');
}

async function fillReset(page: Page) {
  await page.fill('[name=email]', 'libai@example.com');
  await page.fill('[name=code]', '123456');
  await page.fill('[name=password]', 'Moonlight-42');
  await submit(page);
}

async function openBindings(page: Page) {
  await page.click('.toggle');
  await page.locator('.items button').first().click();
}

async function fillWithdrawal(page: Page) {
  await page.check('[name=role] >> nth=0');
  await page.fill('[name=amount]', '500');
  await submit(page);
}

async function confirmWithdrawal(page: Page) {
  await fillWithdrawal(page);
  await page.locator('dialog .primary').click();
}

export const scenes: Scene[] = [
  { name: 'login', wide: true, path: '/login', shows: '[name=password]' },
  { name: 'login-empty', path: '/login', act: submit, shows: '.wrong' },
  {
    name: 'login-refused',
    path: '/login',
    answers: { 'POST /api/login': new Refusal('invalid_credentials') },
    act: fillLogin,
    shows: '.notice.error',
    failing: true,
  },
  {
    name: 'login-throttled',
    path: '/login',
    answers: { 'POST /api/login': new Refusal('too_many_attempts', { retryAfter: 540 }) },
    act: fillLogin,
    shows: '.notice.error',
    failing: true,
  },
  {
    name: 'login-suspended',
    path: '/login',
    answers: {
      'POST /api/login': new Refusal('account_suspended', {
        extra: { reason: '使用外挂', until: '2099-01-01T00:00:00.000Z' },
      }),
    },
    act: fillLogin,
    shows: '.notice.error',
    failing: true,
  },
  {
    name: 'login-busy',
    path: '/login',
    answers: { 'POST /api/login': 'never' },
    act: fillLogin,
    shows: '[aria-busy]',
  },
  {
    name: 'login-down',
    path: '/login',
    answers: { 'GET /api/config': down },
    shows: '.notice.error',
    failing: true,
  },
  { name: 'login-forum-denied', path: '/login?error=forum_denied', shows: '.notice.error' },
  { name: 'register', path: '/login?mode=register', shows: '[name=agree]' },
  { name: 'register-filled', path: '/login?mode=register', act: fillRegistration, shows: '.send:disabled' },
  {
    name: 'register-wrong',
    wide: true,
    path: '/login?mode=register',
    answers: { 'POST /api/register': refuseField('account_taken', 'account') },
    async act(page) {
      await fillRegistration(page);
      await submit(page);
    },
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'register-weak',
    path: '/login?mode=register',
    answers: {
      'POST /api/register': refuseField('weak_password', 'password', {
        variant: 'length',
        params: { min: 12, max: 72 },
      }),
    },
    async act(page) {
      await fillRegistration(page);
      await submit(page);
    },
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'register-closed',
    path: '/login?mode=register',
    answers: { 'GET /api/config': { body: { ...config, registration: { open: false, code_ttl: 60 } } } },
    shows: '.empty',
  },
  { name: 'reset', wide: true, path: '/login?mode=reset', shows: '[name=code]' },
  { name: 'reset-done', path: '/login?mode=reset', act: fillReset, shows: '.notice.good' },
  {
    name: 'reset-which',
    path: '/login?mode=reset',
    answers: { 'POST /api/reset_password': refuseField('account_required', 'account') },
    act: fillReset,
    shows: '.wrong [name=account]',
    failing: true,
  },
  { name: 'forum-choice', wide: true, path: '/login#ticket=t-1&linked=0', shows: '.ways' },
  {
    name: 'forum-existing',
    path: '/login#ticket=t-1&linked=0',
    act: (page) => page.check('[value=existing]'),
    shows: '[name=password]',
  },
  {
    name: 'forum-signing-in',
    path: '/login#ticket=t-1&linked=1',
    answers: { 'POST /api/forumauth/bind': 'never' },
    shows: '.skeletons',
  },
  {
    name: 'forum-expired',
    path: '/login#ticket=t-1&linked=1',
    answers: { 'POST /api/forumauth/bind': refuseField('invalid_ticket', 'ticket') },
    shows: '.notice.error',
    failing: true,
  },
  { name: 'home', wide: true, path: '/', signedIn: true, shows: '.zone.on' },
  {
    name: 'home-few',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: zones.slice(0, 2) } } },
    shows: '.zone.on',
  },
  {
    name: 'home-loading',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': 'never' },
    shows: '.skeletons',
  },
  {
    name: 'home-empty',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: [] } } },
    shows: '.empty',
  },
  {
    name: 'home-no-match',
    path: '/',
    signedIn: true,
    act: (page) => page.fill('[type=search]', '蓬莱'),
    shows: '.empty',
  },
  {
    name: 'home-down',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': down },
    shows: '.trouble',
    failing: true,
  },
  {
    name: 'home-unreached',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': 'cut' },
    shows: '.trouble',
    failing: true,
  },
  {
    name: 'home-offline',
    path: '/',
    signedIn: true,
    async act(page) {
      await page.waitForLoadState('networkidle');
      await page.context().setOffline(true);
    },
    shows: '.offline',
  },
  {
    name: 'home-menu',
    wide: true,
    path: '/',
    signedIn: true,
    act: (page) => page.click('.toggle'),
    shows: '.items',
  },
  { name: 'home-bindings', path: '/', signedIn: true, act: openBindings, shows: 'dialog .list' },
  {
    name: 'home-unbinding',
    path: '/',
    signedIn: true,
    answers: { 'DELETE /api/bind/forum': 'never' },
    async act(page) {
      await openBindings(page);
      await page.click('dialog .danger');
      await page.click('dialog .danger');
    },
    shows: 'dialog .danger[aria-busy]',
  },
  {
    name: 'home-zone-closed',
    path: '/',
    signedIn: true,
    answers: {
      'POST /api/enter_game': new Refusal('server_closed', {
        extra: { until: '2099-01-01T00:00:00.000Z' },
        retryAfter: 86_400,
      }),
    },
    act: (page) => page.click('.enter'),
    shows: '.notice.error',
    failing: true,
  },
  {
    name: 'home-entering',
    path: '/',
    signedIn: true,
    answers: { 'POST /api/enter_game': 'never' },
    act: (page) => page.click('.enter'),
    shows: '.enter[aria-busy]',
  },
  {
    name: 'play',
    wide: true,
    path: '/',
    signedIn: true,
    act: (page) => page.click('.enter'),
    shows: '.play:not(:has(.veil))',
  },
  { name: 'withdraw', wide: true, path: '/withdraw', signedIn: true, shows: '.role' },
  {
    name: 'withdraw-loading',
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/game/roles': 'never', 'GET /api/game/withdrawals': 'never' },
    shows: '.skeletons',
  },
  {
    name: 'withdraw-stale',
    wide: true,
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/game/withdrawals': [{ body: { withdrawals: records, next: null } }, 'cut'] },
    act: (page) => page.click('.refresh'),
    shows: '.stale',
    failing: true,
  },
  {
    name: 'withdraw-empty',
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/game/roles': { body: { roles: [] } }, 'GET /api/game/withdrawals': nobody },
    shows: '.empty',
  },
  {
    name: 'withdraw-wrong-amount',
    path: '/withdraw',
    signedIn: true,
    async act(page) {
      await page.check('[name=role] >> nth=0');
      await page.fill('[name=amount]', '150');
      await submit(page);
    },
    shows: '.wrong',
  },
  {
    name: 'withdraw-confirm',
    wide: true,
    path: '/withdraw',
    signedIn: true,
    act: fillWithdrawal,
    shows: 'dialog',
  },
  {
    name: 'withdraw-done',
    path: '/withdraw',
    signedIn: true,
    act: confirmWithdrawal,
    shows: '.outcome.done',
  },
  {
    name: 'withdraw-unknown',
    wide: true,
    path: '/withdraw',
    signedIn: true,
    answers: {
      'POST /api/game/withdraw': {
        status: 202,
        body: { withdraw_id: 'w-5', state: 'unknown', server_id: 11, role: 1001, amount: 500 },
      },
    },
    act: confirmWithdrawal,
    shows: '.outcome.open',
  },
  {
    name: 'withdraw-lost',
    path: '/withdraw',
    signedIn: true,
    answers: { 'POST /api/game/withdraw': 'cut' },
    act: confirmWithdrawal,
    shows: '.outcome.lost',
    failing: true,
  },
  {
    name: 'withdraw-refused',
    path: '/withdraw',
    signedIn: true,
    answers: {
      'POST /api/game/withdraw': new Refusal('insufficient_balance', { extra: { withdraw_id: 'w-9' } }),
    },
    act: confirmWithdrawal,
    shows: '.notice.error',
    failing: true,
  },
  {
    name: 'withdraw-disabled',
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/config': { body: { ...config, withdraw: { ...config.withdraw, enabled: false } } } },
    shows: '.empty',
  },
  {
    name: 'withdraw-zone-unreached',
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/game/roles': new Refusal('game_server_unavailable') },
    shows: '.trouble',
    failing: true,
  },
  { name: 'agree', wide: true, path: '/agree', shows: 'iframe' },
  {
    name: 'agree-down',
    path: '/agree',
    answers: { 'GET /api/misc/agree': down },
    shows: '.trouble',
    failing: true,
  },
  { name: 'not-found', wide: true, path: '/no/such/street', shows: 'main h1' },
];
