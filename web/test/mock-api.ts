import { renderProblem } from '@gatehouse/server/http/problem';
import { pickLanguage } from '@gatehouse/server/http/texts';
import { Refusal } from '@gatehouse/server/refusal';
import type { Page, Route } from 'playwright-core';
import { articles, brandPictures } from './brands.ts';
import { CLIENT_ORIGIN, config, ownAccount, ownLogins, records, roles, session, zones } from './fixtures.ts';

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** A refusal is rendered by the service's own code; `never` leaves the request pending, `cut` breaks the connection. */
export type Answer = Reply | Refusal | 'never' | 'cut';
/** Several answers are given in order, the last one repeatedly. */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

const agreement = `<!doctype html><html lang="zh-CN"><title>用户协议</title><style>body{margin:2rem;font:1rem/1.8 serif;color:#222}</style>
<h1>用户协议</h1><p>欢迎来到烽火长安。请在注册之前仔细阅读本协议。</p><h2>一、账号</h2><p>账号由您本人使用，请妥善保管密码。</p></html>`;

const healthy: Answers = {
  'GET /api/config': { body: config },
  'GET /api/misc/agree': { body: agreement, headers: { 'content-type': 'text/html; charset=utf-8' } },
  'GET /api/server/list': { body: { servers: zones } },
  'GET /api/announcement/list': { body: { announcements: [] } },
  'GET /api/news': { body: { news: [], next: null } },
  'GET /api/news/3': { body: articles[0] },
  'POST /api/login': { body: session },
  'POST /api/logout': { status: 204, body: '' },
  'POST /api/register': { status: 201, body: session },
  'POST /api/send_code': { body: { expires_in: 60, resend_after: 60 } },
  'POST /api/reset_password': { body: { account: 'li_bai' } },
  'POST /api/forumauth/bind': { body: session },
  'GET /api/bind': {
    body: { bindings: [{ provider: 'forum', connect_id: 'u-42', bound_at: '2026-08-01T08:00:00.000Z' }] },
  },
  'GET /api/account': { body: ownAccount },
  'GET /api/account/logins': { body: { logins: ownLogins } },
  'POST /api/account/password': { body: session },
  'POST /api/account/sign_out_everywhere': { body: session },
  'POST /api/account/totp': {
    body: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/%E7%83%BD%E7%81%AB%E9%95%BF%E5%AE%89:li_bai?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    },
  },
  'POST /api/account/totp/confirm': {
    body: { recovery_codes: Array.from({ length: 10 }, (_, n) => `abcd-efg${n}-hijk-lmn${n}`) },
  },
  'GET /api/game/roles': { body: { roles } },
  'GET /api/game/withdrawals': { body: { withdrawals: records, next: 'more' } },
  'POST /api/game/withdraw': {
    body: {
      withdraw_id: 'w-9',
      state: 'done',
      server_id: 11,
      role: 1001,
      amount: 500,
      balance_after: 12_300,
    },
  },
  'POST /api/enter_game': {
    body: {
      account: 'li_bai',
      token: 'game-token',
      server: { server_id: 11, name: '玄武门', address: 's11.game.test', port: 7011 },
      launch_url: `${CLIENT_ORIGIN}/play`,
    },
  },
};

const client = `<!doctype html><html lang="zh-CN"><title>client</title><body style="margin:0;background:#10202b;color:#fff;display:grid;place-content:center;height:100vh;font:1.25rem sans-serif"><main>
<h1>游戏画面</h1><p id="said"></p></main><script>
addEventListener('message',(e)=>{document.getElementById('said').textContent=e.data.account+' @ '+e.data.server.name;});
parent.postMessage({type:'gatehouse:ready'},'*');</script></body></html>`;

/** Mocks the API and the game client for one page; every answer can be replaced. */
export async function mockApi(page: Page, answers: Answers = {}) {
  const table = new Map(
    Object.entries({ ...healthy, ...answers }).map(([route, answer]) => [route, [answer].flat()]),
  );
  await page.route(`${CLIENT_ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: client }),
  );
  await page.route(/\/brand\//, (route) => {
    const body = brandPictures[new URL(route.request().url()).pathname.slice(7)];
    return body ? route.fulfill({ contentType: 'image/svg+xml', body }) : route.abort();
  });
  await page.route(/\/api\//, (route) => {
    const { pathname } = new URL(route.request().url());
    const queue = table.get(`${route.request().method()} ${pathname}`) ?? [new Refusal('not_found')];
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    return answer && fulfil(route, answer);
  });
}

async function fulfil(route: Route, answer: Answer) {
  if (answer === 'never') return;
  if (answer === 'cut') return route.abort('connectionreset');
  const { status = 200, body, headers } = answer instanceof Refusal ? problem(route, answer) : answer;
  await route.fulfill({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function problem(route: Route, refusal: Refusal): Reply {
  return renderProblem(refusal, 'r-1', pickLanguage(route.request().headers()['accept-language']));
}
