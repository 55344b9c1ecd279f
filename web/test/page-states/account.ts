import { Refusal, refuseField } from '@gatehouse/server/refusal';
import type { Page } from 'playwright-core';
import { ownAccount, ownLogins } from '../fixtures.ts';
import { badGateway, type PageState, submit } from './page-state.ts';

const signedIn = true;
const forumMade = { ...ownAccount, email: null, has_password: false, may_choose_name: true };
const withTwoFactor = { ...ownAccount, two_factor: { enabled: true } };

async function changePassword(page: Page) {
  await page.fill('[name=old_password]', 'moonlight-1');
  await page.fill('[name=password]', 'Moonlight-42');
  await submit(page);
}

async function beginTotp(page: Page) {
  await page.fill('[name=password]', 'moonlight-1');
  await submit(page);
}

async function confirmTotp(page: Page) {
  await beginTotp(page);
  await page.fill('[name=code]', '123456');
  await submit(page);
}

export const accountStates: PageState[] = [
  { name: 'account', wide: true, signedIn, path: '/account', shows: '.logins li' },
  {
    name: 'account-loading',
    signedIn,
    path: '/account',
    answers: { 'GET /api/account': 'never' },
    shows: '.skeletons',
  },
  {
    name: 'account-down',
    signedIn,
    path: '/account',
    answers: { 'GET /api/account': badGateway },
    shows: '.trouble',
    failing: true,
  },
  {
    name: 'account-no-logins',
    signedIn,
    path: '/account',
    answers: { 'GET /api/account/logins': { body: { logins: [] } } },
    shows: '.empty',
  },
  {
    name: 'account-by-forum',
    signedIn,
    path: '/account',
    answers: { 'GET /api/account': { body: forumMade } },
    shows: '[href="/account/name"]',
  },
  {
    name: 'account-deletion-set',
    signedIn,
    path: '/account',
    answers: {
      'GET /api/account': { body: { ...withTwoFactor, deletion_at: '2026-11-23T08:00:00.000Z' } },
      'GET /api/account/logins': { body: { logins: [...ownLogins, ...ownLogins, ...ownLogins] } },
    },
    shows: '.notice.error',
  },
  {
    name: 'account-everywhere',
    signedIn,
    path: '/account',
    act: (page) => page.locator('.logins ~ button').last().click(),
    shows: 'dialog[open]',
  },
  { name: 'account-bindings', signedIn, path: '/account/bindings', shows: 'dialog[open] li' },
  { name: 'account-password', signedIn, path: '/account/password', shows: '[name=old_password]' },
  {
    name: 'account-password-wrong',
    signedIn,
    path: '/account/password',
    answers: { 'POST /api/account/password': new Refusal('invalid_credentials') },
    act: changePassword,
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'account-password-done',
    signedIn,
    path: '/account/password',
    act: changePassword,
    shows: '.notice.good',
  },
  {
    name: 'account-password-first',
    signedIn,
    path: '/account/password',
    answers: { 'GET /api/account': { body: forumMade } },
    shows: '[name=password]',
  },
  { name: 'account-email', signedIn, path: '/account/email', shows: '[name=email]' },
  {
    name: 'account-email-taken',
    signedIn,
    path: '/account/email',
    answers: { 'POST /api/account/email': refuseField('email_taken', 'email') },
    async act(page) {
      await page.fill('[name=email]', 'new@example.com');
      await page.fill('[name=code]', '123456');
      await page.fill('[name=password]', 'moonlight-1');
      await submit(page);
    },
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'account-name',
    signedIn,
    path: '/account/name',
    answers: { 'GET /api/account': { body: forumMade } },
    shows: '[name=account]',
  },
  {
    name: 'account-two-factor-password-wrong',
    signedIn,
    path: '/account/two-factor',
    answers: { 'POST /api/account/totp': new Refusal('invalid_credentials') },
    act: beginTotp,
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'account-two-factor',
    wide: true,
    signedIn,
    path: '/account/two-factor',
    act: beginTotp,
    shows: '.qr',
  },
  {
    name: 'account-two-factor-wrong',
    signedIn,
    path: '/account/two-factor',
    answers: { 'POST /api/account/totp/confirm': new Refusal('invalid_credentials') },
    act: confirmTotp,
    shows: '.wrong',
    failing: true,
  },
  {
    name: 'account-recovery-codes',
    signedIn,
    path: '/account/two-factor',
    act: confirmTotp,
    shows: '.codes',
  },
  {
    name: 'account-two-factor-off',
    signedIn,
    path: '/account/two-factor',
    answers: { 'GET /api/account': { body: withTwoFactor } },
    shows: '[name=password]',
  },
  {
    name: 'account-two-factor-needs-password',
    signedIn,
    path: '/account/two-factor',
    answers: { 'GET /api/account': { body: forumMade } },
    shows: '.notice',
  },
  { name: 'account-delete', signedIn, path: '/account/delete', shows: '[name=code]' },
  {
    name: 'account-delete-no-email',
    signedIn,
    path: '/account/delete',
    answers: { 'GET /api/account': { body: forumMade } },
    shows: '.notice',
  },
];
