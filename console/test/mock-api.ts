import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  announcements,
  audit,
  chat,
  checks,
  controls,
  deliveries,
  findings,
  keys,
  operators,
  reconciliation,
  session,
  settings,
  site,
  webhooks,
} from './fixtures/desk.ts';
import { dashboardOf, legacy, promoters, registrations, takeoverOf, zones } from './fixtures/figures.ts';
import { playerDetail, playerRoles, players, withdrawals, withdrawDetail } from './fixtures/people.ts';
import { ago } from './fixtures/time.ts';

/** An answer's body, a refusal by status and code, or no answer. */
export type Reply =
  | object
  | { readonly refuse: [status: number, code: string, detail: string] }
  | 'never'
  | 'cut';
export type Replies = Readonly<Record<string, Reply | ((url: URL) => Reply)>>;

const audited = { audit_id: '1843' };

/** A platform on a normal night. Keys such as `GET players/3` are relative to /api/admin. */
export const ordinary: Replies = {
  'GET me': session,
  'POST invitation/check': { name: 'zhang.wei' },
  'GET dashboard': (url) => dashboardOf(Number(url.searchParams.get('days') ?? 30)),
  'GET players': { players, next: 'more' },
  'GET players/3': playerDetail,
  'GET players/3/roles': playerRoles,
  'POST players/3/mute': audited,
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
  [`GET withdrawals/${withdrawDetail.id}/balance`]: { balance: 12_820, at: ago(0) },
  'GET reconciliation': { zones: reconciliation },
  'GET registrations': registrations,
  'GET promoters': { promoters, next: null },
  'GET promoters/7': promoters[1] ?? {},
  'GET chat': { chat, next: null },
  'GET chat/8995/context': { chat: chat.slice(0, 9) },
  'GET controls': controls,
  'GET announcements': { announcements, next: null },
  'GET site': site,
  'PATCH site': audited,
  'POST announcements/preview': {
    body_html: '<h2>攻城</h2>\n<p>周五 20:00，<strong>全服攻城</strong>。</p>\n',
  },
  'GET takeover': takeoverOf(1),
  'GET audit': { audit, next: null },
  'GET operators': { operators, next: null },
  'GET keys': { keys, next: null },
  'GET webhooks': { webhooks, next: null },
  'GET webhooks/3/deliveries': { deliveries, next: null },
  'POST webhooks/3/secret': {
    ...audited,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwdKjzKQpYdqo=',
    previous_secret_until: '2026-11-17T02:12:40.000Z',
  },
  'POST webhooks/3/test': {
    delivered: false,
    status: 502,
    answer: null,
    error: 'answered 502',
    duration_ms: 84,
  },
  'GET doctor': { findings },
  'GET settings': { settings },
  'GET legacy': legacy,
  'POST operators/caiwu.wang/invite': {
    ...audited,
    link: 'https://play.example.com/console/invite#Zm9yLW9uZS1vcGVyYXRvci1vbmx5LW9uY2U',
  },
  'POST me/totp': {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    otpauth_url:
      'otpauth://totp/Gatehouse:zhang.wei?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
  },
  'POST me/totp/confirm': {
    recovery_codes: Array.from({ length: 10 }, (_, index) => `k7q${index}-m2xp-9d4t`),
  },
};

/**
 * A proxy in front of the service: the pages are the service's own, the operators' API is answered from a table. Intercepting in
 * the browser would bypass its HTTP cache, and fetch and compile every script again for each state.
 */
export async function startMockApi(service: string) {
  let table = ordinary;
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', service);
    if (!url.pathname.startsWith('/api/admin/')) return forward(url, incoming, response);
    const found = table[`${incoming.method} ${url.pathname.slice('/api/admin/'.length)}`];
    const reply = typeof found === 'function' ? found(url) : found;
    answer(response, reply ?? { refuse: [404, 'not_found', 'There is nothing here.'] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resets to a normal night with these replies. */
    reply(replies: Replies = {}) {
      table = { ...ordinary, ...replies };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type MockApi = Awaited<ReturnType<typeof startMockApi>>;

function forward(url: URL, { method = 'GET', headers }: IncomingMessage, response: ServerResponse) {
  const onward = request(url, { method, headers: { ...headers, host: url.host } }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  onward.on('error', () => response.destroy());
  onward.end();
}

function answer(response: ServerResponse, reply: Reply) {
  if (reply === 'never') return;
  if (reply === 'cut') return response.destroy();
  if ('refuse' in reply && Array.isArray(reply.refuse)) {
    const [status, code, detail] = reply.refuse;
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    const problem = { type: 'about:blank', title: code, status, detail, code, request_id: 'r-1' };
    return response.end(JSON.stringify(problem));
  }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(reply));
}
