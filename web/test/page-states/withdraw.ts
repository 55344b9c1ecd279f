import { Refusal } from '@gatehouse/server/refusal';
import type { Page } from 'playwright-core';
import { config, longZones, records } from '../fixtures.ts';
import { type PageState, submit } from './page-state.ts';

async function fillWithdrawal(page: Page) {
  await page.check('[name=role] >> nth=0');
  await page.fill('[name=amount]', '500');
  await submit(page);
}

async function confirmWithdrawal(page: Page) {
  await fillWithdrawal(page);
  await page.locator('dialog .primary').click();
}

export const withdrawStates: PageState[] = [
  { name: 'withdraw', wide: true, path: '/withdraw', signedIn: true, shows: '.role' },
  {
    name: 'withdraw-long-zones',
    wide: true,
    path: '/withdraw',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: longZones } } },
    act: (page) => page.selectOption('select', '2'),
    shows: '.role',
  },
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
    answers: {
      'GET /api/game/roles': { body: { roles: [] } },
      'GET /api/game/withdrawals': { body: { withdrawals: [], next: null } },
    },
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
    name: 'withdraw-second-factor',
    path: '/withdraw',
    signedIn: true,
    answers: { 'POST /api/game/withdraw': new Refusal('second_factor_required') },
    act: confirmWithdrawal,
    shows: '[name=one_time_code]',
    failing: true,
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
    name: 'withdraw-lost-second-factor',
    path: '/withdraw',
    signedIn: true,
    answers: {
      'POST /api/game/withdraw': [
        'cut',
        new Refusal('second_factor_required'),
        { body: { withdraw_id: 'w-9', state: 'done', server_id: 11, role: 1001, amount: 500 } },
      ],
    },
    async act(page) {
      await confirmWithdrawal(page);
      await page.locator('.outcome.lost .primary').click();
    },
    shows: '[name=one_time_code]',
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
];
