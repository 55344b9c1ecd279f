import type { ListedZone, PublicConfig, Role, WithdrawRecord } from '@gatehouse/contract/player';
import { renderProblem } from '@gatehouse/server/http/problem';
import { pickLanguage } from '@gatehouse/server/http/texts';
import { Refusal } from '@gatehouse/server/refusal';
import type { Page, Route } from 'playwright-core';

export const CLIENT_ORIGIN = 'http://client.test';

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** A refusal is worded and rendered by the service's own hand. */
export type Answer = Reply | Refusal | 'never' | 'cut';
/** Several answers come one after the other, the last one for good. */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

export const config: PublicConfig = {
  game: { name: '烽火长安' },
  registration: { open: true, code_ttl: 60 },
  withdraw: {
    enabled: true,
    currency: '元宝',
    min: 100,
    max: 50_000,
    step: 100,
    daily_max: 200_000,
    rate: 1,
  },
  forum: { enabled: true, providers: [{ id: 'forum', name: '江湖论坛' }] },
  client: { url: `${CLIENT_ORIGIN}/`, handoff: 'iframe' },
};

const zone = (
  server_id: number,
  name: string,
  status: ListedZone['status'],
  more: Partial<ListedZone> = {},
) => ({
  server_id,
  name,
  address: `s${server_id}.game.test`,
  port: 7000 + server_id,
  status,
  opened_at: '2026-01-05T02:00:00.000Z',
  ...more,
});

export const zones: ListedZone[] = [
  zone(12, '朱雀大街', 'new', { opened_at: '2026-07-01T02:00:00.000Z', up: true, latency_ms: 18 }),
  zone(11, '玄武门', 'open', { up: true, latency_ms: 21 }),
  zone(10, '曲江池', 'open', { up: true, latency_ms: 24 }),
  zone(9, '大明宫', 'busy', { up: true, latency_ms: 35 }),
  zone(8, '灞桥烟柳', 'open', { up: false }),
  zone(7, '终南山', 'full', { up: true, latency_ms: 52 }),
  zone(5, '雁塔晨钟', 'maintenance', { message: '例行维护，预计十点恢复' }),
  zone(13, '昆明湖', 'new', { opened_at: '2099-10-01T02:00:00.000Z' }),
  zone(3, '华清宫', 'open', { up: true, latency_ms: 27 }),
];

export const roles: Role[] = [
  { role_id: 1001, name: '风清扬', level: 78, balance: 12_800 },
  { role_id: 1002, name: '小龙女', level: 45, balance: 650 },
];

const record = (n: number, state: WithdrawRecord['state'], amount: number): WithdrawRecord => ({
  withdraw_id: `w-${n}`,
  state,
  server_id: 11,
  role: '风清扬',
  role_id: 1001,
  amount,
  created_at: `2026-10-0${n}T09:30:00.000Z`,
  updated_at: `2026-10-0${n}T09:30:02.000Z`,
});

export const records: WithdrawRecord[] = [
  record(5, 'unknown', 500),
  record(4, 'done', 1200),
  record(3, 'refused', 9000),
  record(2, 'failed', 300),
  record(1, 'done', 100),
];

const payload = Buffer.from(JSON.stringify({ sub: '7', account: 'li_bai' })).toString('base64url');
export const token = `e30.${payload}.c2lnbmF0dXJl`;
export const session = {
  token,
  token_type: 'Bearer',
  expires_at: '2099-01-01T00:00:00.000Z',
  account: 'li_bai',
  server_id: 11,
};

const agreement = `<!doctype html><html lang="zh-CN"><title>用户协议</title><style>body{margin:2rem;font:1rem/1.8 serif;color:#222}</style>
<h1>用户协议</h1><p>欢迎来到烽火长安。请在注册之前仔细阅读本协议。</p><h2>一、账号</h2><p>账号由您本人使用，请妥善保管密码。</p></html>`;

const healthy: Answers = {
  'GET /api/config': { body: config },
  'GET /api/misc/agree': { body: agreement, headers: { 'content-type': 'text/html; charset=utf-8' } },
  'GET /api/server/list': { body: { servers: zones } },
  'POST /api/login': { body: session },
  'POST /api/register': { status: 201, body: session },
  'POST /api/send_code': { body: { expires_in: 60, resend_after: 60 } },
  'POST /api/reset_password': { body: { account: 'li_bai' } },
  'POST /api/forumauth/bind': { body: session },
  'GET /api/bind': {
    body: { bindings: [{ provider: 'forum', connect_id: 'u-42', bound_at: '2026-08-01T08:00:00.000Z' }] },
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

/** Plays the service (and the game client) to one page; every answer can be replaced. */
export async function playApi(page: Page, answers: Answers = {}) {
  const table = new Map(
    Object.entries({ ...healthy, ...answers }).map(([route, answer]) => [route, [answer].flat()]),
  );
  await page.route(`${CLIENT_ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: client }),
  );
  await page.route(/\/api\//, (route) => {
    const { pathname } = new URL(route.request().url());
    const turns = table.get(`${route.request().method()} ${pathname}`) ?? [new Refusal('not_found')];
    const answer = turns.length > 1 ? turns.shift() : turns[0];
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
