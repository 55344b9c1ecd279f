import type { Page } from 'playwright-core';
import { plainPng } from '../../../server/test/support/pictures.ts';
import { withdrawDetail } from '../fixtures/people.ts';
import type { PageState } from './page-state.ts';

const press = (selector: string, nth = 0) => ({
  shows: 'dialog button[type=submit]',
  act: (page: Page) => page.locator(selector).nth(nth).click(),
});

/** Dialogs of changes. Those of one path are opened one after another on the same page. */
export const dialogs: readonly PageState[] = [
  { name: 'zone-clone', path: '/zones/14', ...press('.tools .button', 0) },
  {
    name: 'zone-merge',
    path: '/zones/14',
    shows: 'dialog .notice',
    async act(page) {
      await page.locator('.tools .button').nth(1).click();
      await page.locator('dialog select').selectOption({ index: 1 });
    },
  },
  { name: 'zone-edit', path: '/zones/14', ...press('.tools .button', 2) },
  { name: 'player-note', path: '/players/3', ...press('.tools .button', 0) },
  { name: 'player-email', path: '/players/3', ...press('.tools .button', 1) },
  { name: 'player-reset', path: '/players/3', ...press('.tools .button', 2) },
  { name: 'player-two-factor', path: '/players/3', ...press('.tools .button', 3) },
  { name: 'player-unmute', path: '/players/3', ...press('.tools .button', 4) },
  { name: 'player-sign-out', path: '/players/3', ...press('.tools .button', 5) },
  { name: 'player-unlock', path: '/players/3', ...press('.tools .button', 6) },
  { name: 'player-unban', path: '/players/3', ...press('.tools .button', 7) },
  {
    name: 'settle',
    path: `/withdrawals/${withdrawDetail.id}`,
    ...press('.panel-settle .row .button', -1),
  },
  { name: 'registration-cap', path: '/registrations', ...press('.tools .button') },
  { name: 'registration-deny', path: '/registrations', ...press('.blocks .link') },
  { name: 'promoter-add', path: '/promoters', ...press('.tools .button') },
  { name: 'promoter-rename', path: '/promoters/7', ...press('.tools .button', 0) },
  { name: 'promoter-close', path: '/promoters/7', ...press('.tools .button', 1) },
  { name: 'announcement-add', path: '/announcements', ...press('.tools .button') },
  { name: 'announcement-edit', path: '/announcements', ...press('article .link', 0) },
  { name: 'announcement-remove', path: '/announcements', ...press('article .link', 1) },
  {
    name: 'news-edit',
    path: '/announcements',
    async act(page) {
      await page.locator('article:last-of-type .link').first().click();
      await page.locator('dialog .preview strong').waitFor();
    },
    shows: 'dialog .preview',
  },
  {
    name: 'site-publish',
    path: '/site',
    async act(page) {
      await page.fill('[name=title]', 'Cloudridge');
      await page.locator('.tools .button.primary').click();
    },
    shows: 'dialog .changes',
  },
  {
    name: 'site-crop',
    path: '/site',
    act: (page) =>
      page.setInputFiles('[name=background_tall]', {
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: plainPng(1600, 900, [44, 62, 88], [205, 190, 150]),
      }),
    shows: 'dialog .frame',
  },
  { name: 'control-set', path: '/controls', ...press('.control .button', 0) },
  { name: 'control-clear', path: '/controls', ...press('.control .button', 1) },
  { name: 'deny', path: '/controls', ...press('.deny .button') },
  { name: 'deny-end', path: '/controls', ...press('tbody .link') },
  { name: 'operator-add', path: '/operators', ...press('.tools .button') },
  { name: 'operator-edit', path: '/operators', ...press('tbody .link', 0) },
  { name: 'operator-disable', path: '/operators', ...press('tbody tr:nth-child(2) .link', 2) },
  {
    name: 'operator-link',
    path: '/operators',
    shows: 'dialog code',
    async act(page) {
      await page.locator('tbody tr:nth-child(2) .link').nth(1).click();
      await page.locator('dialog button[type=submit]').click();
    },
  },
  { name: 'key-add', path: '/operators', ...press('.spread.head .button') },
  { name: 'webhook-add', path: '/webhooks', ...press('.tools .button') },
  { name: 'webhook-edit', path: '/webhooks/3', ...press('.tools .button', 1) },
  { name: 'webhook-pause', path: '/webhooks/3', ...press('.tools .button', 2) },
  { name: 'webhook-remove', path: '/webhooks/3', ...press('.tools .button', 4) },
  { name: 'webhook-replay', path: '/webhooks/3', ...press('.parked .button') },
  {
    name: 'webhook-delivery',
    path: '/webhooks/3',
    shows: 'dialog pre',
    act: (page) => page.locator('tbody .link').first().click(),
  },
  {
    name: 'webhook-secret',
    path: '/webhooks/3',
    shows: 'dialog code',
    async act(page) {
      await page.locator('.tools .button').nth(3).click();
      await page.locator('dialog button[type=submit]').click();
    },
  },
  { name: 'totp-remove', path: '/account', ...press('.card .button.danger') },
  {
    name: 'help',
    path: '/account',
    shows: 'dialog kbd',
    async act(page) {
      await page.locator('h1').waitFor();
      await page.keyboard.press('?');
    },
  },
];
