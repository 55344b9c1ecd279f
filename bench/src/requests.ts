import { CODE, NEWCOMERS, newcomerEmail } from './fill.ts';
import { rawRequest } from './load.ts';
import {
  ACTIVE_PLAYERS,
  ACTIVE_TOKENS,
  accountOf,
  activePlayers,
  emailOf,
  hashOf,
  passwordOf,
  tokenOf,
  ZONES,
} from './test-data.ts';

const BATCH = 100;
const LINE = 'Selling a dragon sword, slightly used; whisper me at the fountain of the old town.';

/** Builds the requests of every route. Gatehouse, the baseline and the express stack receive the same bytes. */
export function requestsFor(players: number) {
  const active = activePlayers(players, ACTIVE_PLAYERS);
  const holders = activePlayers(players, ACTIVE_TOKENS).map((id) => ({ id, token: tokenOf(id) }));
  const post = (path: string, body: unknown, headers = {}) =>
    rawRequest({ method: 'POST', path, headers, body });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const record = (id: number) => ({ server_id: 1, role: accountOf(id), content: LINE });

  return {
    list: [rawRequest({ path: '/api/server/list' })],
    config: [rawRequest({ path: '/api/config' })],
    login: active.map((id) => post('/api/login', { account: accountOf(id), password: passwordOf(id) })),
    wrongLogin: active.map((id) =>
      post('/api/login', { account: accountOf(id), password: passwordOf(id + 1) }),
    ),
    checkLegacy: active.map((id) => post('/api/check', { account: accountOf(id), token: hashOf(id) })),
    checkJwt: holders.map(({ id, token }) => post('/api/check', { account: accountOf(id), token })),
    bindings: holders.map(({ token }) => rawRequest({ path: '/api/bind', headers: bearer(token) })),
    enterGame: holders.map(({ id, token }) =>
      post('/api/enter_game', { server_id: 1 + (id % ZONES.length) }, bearer(token)),
    ),
    register: Array.from({ length: NEWCOMERS }, (_, index) =>
      post('/api/register', {
        account: `newcomer${index + 1}`,
        password: passwordOf(index + 1),
        email: newcomerEmail(index + 1),
        code: CODE,
        server_id: 1,
      }),
    ),
    chat: active.slice(0, 1000).map((id) => post('/api/report/chat', record(id))),
    chatBatch: active
      .slice(0, 100)
      .map((id) => post('/api/report/chat', { records: Array.from({ length: BATCH }, () => record(id)) })),
    batch: BATCH,
    signIn: active.map((id) =>
      post('/api/auth/sign-in/email', { email: emailOf(id), password: passwordOf(id) }),
    ),
  };
}

export type Requests = ReturnType<typeof requestsFor>;

/** Logs a few hundred users in at better-auth for their session cookies. */
export async function sessionRequests(port: number, players: number): Promise<string[]> {
  const requests: string[] = [];
  for (const id of activePlayers(players, 500)) {
    const origin = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: emailOf(id), password: passwordOf(id) }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie === undefined) throw new Error(`better-auth gave no session: ${await answer.text()}`);
    requests.push(rawRequest({ path: '/api/auth/get-session', headers: { cookie } }));
  }
  return requests;
}
