import type { Page, Route } from 'playwright-core';
import {
  announcements,
  audit,
  chat,
  checks,
  controls,
  findings,
  keys,
  operators,
  reconciliation,
  session,
  settings,
} from './fixtures/desk.ts';
import { dashboardOf, legacy, promoters, registrations, zones } from './fixtures/figures.ts';
import { playerDetail, players, withdrawals, withdrawDetail } from './fixtures/people.ts';

/** An answer's body, a refusal by its status and code, or one that never comes. */
export type Reply =
  | object
  | { readonly refuse: [status: number, code: string, detail: string] }
  | 'never'
  | 'cut';
export type Replies = Readonly<Record<string, Reply | ((url: URL) => Reply)>>;

const audited = { audit_id: '1843' };

/** A platform on an ordinary night. `GET players/3` stands for its path below /api/admin. */
export const ordinary: Replies = {
  'GET me': session,
  'GET dashboard': (url) => dashboardOf(Number(url.searchParams.get('days') ?? 30)),
  'GET players': { players, next: 'more' },
  'GET players/3': playerDetail,
  'POST players/3/ban': audited,
  'GET zones': { zones, next: null },
  'POST zones/status': { ...audited, zones: [] },
  'POST zones/14/test': { checks },
  'POST zones/14/merge': {
    audit_id: null,
    server_id: 14,
    into: 1,
    dry_run: true,
    players: 2104,
    withdrawals: 312,
    open_withdrawals: 0,
  },
  'GET withdrawals': (url) => {
    const state = url.searchParams.get('state');
    return { withdrawals: withdrawals.filter((each) => state === null || each.state === state), next: null };
  },
  [`GET withdrawals/${withdrawDetail.id}`]: withdrawDetail,
  'GET reconciliation': { zones: reconciliation },
  'GET registrations': registrations,
  'GET promoters': { promoters, next: null },
  'GET promoters/7': promoters[1] ?? {},
  'GET chat': { chat, next: null },
  'GET chat/8995/context': { chat: chat.slice(0, 9) },
  'GET controls': controls,
  'GET announcements': { announcements, next: null },
  'GET audit': { audit, next: null },
  'GET operators': { operators, next: null },
  'GET keys': { keys, next: null },
  'GET doctor': { findings },
  'GET settings': { settings },
  'GET legacy': legacy,
  'POST me/totp': {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    otpauth_url:
      'otpauth://totp/Gatehouse:zhang.wei?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
  },
  'POST me/totp/confirm': {
    recovery_codes: Array.from({ length: 10 }, (_, index) => `k7q${index}-m2xp-9d4t`),
  },
};

/** Answers the operators' API of one page; every reply can be replaced. */
export async function mockApi(page: Page, replies: Replies = {}) {
  const table: Replies = { ...ordinary, ...replies };
  await page.route(/\/api\/admin\//, (route) => {
    const url = new URL(route.request().url());
    const found = table[`${route.request().method()} ${url.pathname.slice('/api/admin/'.length)}`];
    const reply = typeof found === 'function' ? found(url) : found;
    return fulfil(route, reply ?? { refuse: [404, 'not_found', 'There is nothing here.'] });
  });
}

async function fulfil(route: Route, reply: Reply) {
  if (reply === 'never') return;
  if (reply === 'cut') return route.abort('connectionreset');
  if ('refuse' in reply && Array.isArray(reply.refuse)) {
    const [status, code, detail] = reply.refuse;
    return route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: code, status, detail, code, request_id: 'r-1' }),
    });
  }
  return route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(reply) });
}
