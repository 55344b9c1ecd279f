import { Refusal } from '@gatehouse/server/refusal';
import type { Page } from 'playwright-core';
import { announcements, fiftyZones, longZones, zones } from '../fixtures.ts';
import { badGateway, type PageState } from './page-state.ts';

async function openBindings(page: Page) {
  await page.click('.toggle');
  await page.locator('.items button').first().click();
}

export const homeStates: PageState[] = [
  { name: 'home', wide: true, path: '/', signedIn: true, shows: '.zone.on' },
  {
    name: 'home-announcements',
    wide: true,
    path: '/',
    signedIn: true,
    answers: { 'GET /api/announcement/list': { body: { announcements } } },
    shows: '.announcement.warning',
  },
  {
    name: 'home-announcement-next',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/announcement/list': { body: { announcements } } },
    act: (page) => page.click('.announcement .link:last-child'),
    shows: '.announcement.info',
  },
  {
    name: 'home-few',
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: zones.slice(0, 2) } } },
    shows: '.zone.on',
  },
  {
    name: 'home-three',
    wide: true,
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: zones.slice(0, 3) } } },
    shows: '.zone.on',
  },
  {
    name: 'home-fifty',
    wide: true,
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: fiftyZones } } },
    shows: '.zone',
  },
  {
    name: 'home-fifty-month',
    wide: true,
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: fiftyZones } } },
    act: (page) => page.click('.tabs button:nth-child(2)'),
    shows: '.zone',
  },
  {
    name: 'home-long-names',
    wide: true,
    path: '/',
    signedIn: true,
    answers: { 'GET /api/server/list': { body: { servers: longZones } } },
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
    answers: { 'GET /api/server/list': badGateway },
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
];
