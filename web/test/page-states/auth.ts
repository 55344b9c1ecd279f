import { Refusal, refuseField } from '@gatehouse/server/refusal';
import type { Page } from 'playwright-core';
import { announcements, config, longZones } from '../fixtures.ts';
import { badGateway, type PageState, submit } from './page-state.ts';

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

const secondFactor = new Refusal('second_factor_required', { extra: { challenge: 'c-1' } });

export const authStates: PageState[] = [
  { name: 'login', wide: true, path: '/login', shows: '[name=password]' },
  {
    name: 'login-announcements',
    wide: true,
    path: '/login',
    answers: { 'GET /api/announcement/list': { body: { announcements } } },
    shows: '.announcement.warning',
  },
  {
    name: 'login-announcement-open',
    path: '/login',
    answers: { 'GET /api/announcement/list': { body: { announcements } } },
    act: (page) => page.click('.announcement [aria-expanded]'),
    shows: '.announcement .open',
  },
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
    name: 'login-second-factor',
    wide: true,
    path: '/login',
    answers: { 'POST /api/login': secondFactor },
    act: fillLogin,
    shows: '[name=code]',
    failing: true,
  },
  {
    name: 'login-second-factor-wrong',
    path: '/login',
    answers: {
      'POST /api/login': secondFactor,
      'POST /api/login/second_factor': new Refusal('invalid_credentials'),
    },
    async act(page) {
      await fillLogin(page);
      await page.fill('[name=code]', '123456');
      await submit(page);
    },
    shows: '.wrong',
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
    answers: { 'GET /api/config': badGateway },
    shows: '.notice.error',
    failing: true,
  },
  { name: 'login-forum-denied', path: '/login?error=forum_denied', shows: '.notice.error' },
  { name: 'register', path: '/login?mode=register', shows: '[name=agree]' },
  {
    name: 'register-long-zones',
    wide: true,
    path: '/login?mode=register',
    answers: { 'GET /api/server/list': { body: { servers: longZones } } },
    shows: 'select',
  },
  { name: 'register-empty', path: '/login?mode=register', act: submit, shows: '.wrong' },
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
  { name: 'forum-choice', wide: true, path: '/login#ticket=t-1&linked=0&name=夜雨', shows: '.notice' },
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
    name: 'forum-confirm',
    path: '/login#ticket=t-1&linked=1',
    answers: {
      'POST /api/forumauth/bind': refuseField('account_required', 'account', {
        extra: { account: 'li_bai' },
      }),
    },
    shows: '[name=password]',
    failing: true,
  },
  {
    name: 'forum-expired',
    path: '/login#ticket=t-1&linked=1',
    answers: { 'POST /api/forumauth/bind': refuseField('invalid_ticket', 'ticket') },
    shows: '.notice.error',
    failing: true,
  },
];
